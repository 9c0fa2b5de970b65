package accesslog

import (
	"fmt"
	"strconv"
	"strings"
)

// step goes from a JSON value to one inside it: by key, or by index if the key
// is empty and list is set.
type step struct {
	key   string
	index int
	list  bool
}

// parsePath reads "req.headers.user-agent", "client.ips[0]", "service\.name".
func parsePath(path string) (steps []step, err error) {
	for rest := path; ; {
		key, after, err := nextKey(rest)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", path, err)
		}
		steps = append(steps, step{key: key})
		for strings.HasPrefix(after, "[") {
			index, tail, ok := strings.Cut(after[1:], "]")
			n, err := strconv.Atoi(index)
			if !ok || err != nil || n < 0 {
				return nil, fmt.Errorf("path %q: brackets hold the index of a list, as in [0]", path)
			}
			steps = append(steps, step{index: n, list: true})
			after = tail
		}
		if after == "" {
			return steps, nil
		}
		if after[0] != '.' {
			return nil, fmt.Errorf("path %q: a dot or a bracket must follow a bracket", path)
		}
		rest = after[1:]
	}
}

// nextKey reads a key up to a dot or a bracket that has no backslash before it.
func nextKey(path string) (key, rest string, err error) {
	var b strings.Builder
	i := 0
	for ; i < len(path) && path[i] != '.' && path[i] != '['; i++ {
		if path[i] == '\\' {
			if i++; i == len(path) {
				return "", "", fmt.Errorf("nothing follows the last backslash")
			}
		}
		b.WriteByte(path[i])
	}
	if b.Len() == 0 {
		return "", "", fmt.Errorf("a key is empty")
	}
	return b.String(), path[i:], nil
}

// node is a place in a tree of paths.
type node struct {
	step
	slot    int // where the value goes; -1 for nowhere
	kids    []*node
	lengths uint64 // bit n: a kid's key has n bytes, modulo 64
}

// tree merges paths, so that a line is walked once for all of them.
type tree struct {
	root  node
	slots int
}

func newTree() *tree { return &tree{root: node{slot: -1}} }

// add makes a slot for the value at a path, or finds the one it has.
func (t *tree) add(steps []step) int {
	n := &t.root
	for _, s := range steps {
		n = n.grow(s)
	}
	if n.slot < 0 {
		n.slot = t.slots
		t.slots++
	}
	return n.slot
}

func (n *node) grow(s step) *node {
	for _, k := range n.kids {
		if k.step == s {
			return k
		}
	}
	k := &node{step: s, slot: -1}
	n.kids = append(n.kids, k)
	n.lengths |= 1 << (len(s.key) % 64)
	return k
}

// member is the node of an object's member, if any path goes there.
func (n *node) member(key []byte) *node {
	if n.lengths>>(len(key)%64)&1 == 0 {
		return nil // as it is with most
	}
	for _, k := range n.kids {
		if k.key == string(key) && !k.list {
			return k
		}
	}
	return nil
}

// element is the node of a list's element, if any path goes there.
func (n *node) element(i int) *node {
	if n == nil {
		return nil
	}
	for _, k := range n.kids {
		if k.list && k.index == i {
			return k
		}
	}
	return nil
}
