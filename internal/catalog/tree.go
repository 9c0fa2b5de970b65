package catalog

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

type kind int

const (
	kindNull kind = iota
	kindText
	kindNumber
	kindBool
	kindList
	kindMapping
	kindBad // text says what is wrong
)

// node is a value of a workspace file, with aliases, anchors, tags and merge
// keys resolved. An alias is the very node that its anchor names, so trees stay
// as small as their file, but walking one may take longer: readers count.
type node struct {
	kind   kind
	line   int
	text   string // of a scalar, as written but for quotes
	items  []*node
	fields []field
}

type field struct {
	name  string
	line  int
	value *node
}

// tree turns the parser's syntax tree into nodes. An anchor is known once its
// value ended, so nothing can contain itself.
type tree struct {
	anchors map[string]*node
	size    int // nodes made
	merged  int // fields copied by merge keys
}

func (t *tree) node(n ast.Node) *node {
	t.size++
	switch n := n.(type) {
	case *ast.AnchorNode:
		v := t.node(n.Value)
		t.anchors[n.Name.GetToken().Value] = v
		return v
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		if v, ok := t.anchors[name]; ok {
			return v
		}
		return t.bad(n, "no anchor &"+name+" before this alias")
	case *ast.TagNode:
		return t.tagged(n)
	case *ast.MappingNode:
		return t.mapping(n, n.Values)
	case *ast.MappingValueNode:
		return t.mapping(n, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		list := &node{kind: kindList, line: tokenLine(n.GetToken())}
		for _, v := range n.Values {
			list.items = append(list.items, t.node(v))
		}
		return list
	}
	return t.scalar(n)
}

func (t *tree) scalar(n ast.Node) *node {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return &node{kind: kindText, line: tokenLine(n.GetToken()), text: n.Value.Value}
	case *ast.StringNode:
		v := &node{kind: kindText, line: tokenLine(n.GetToken()), text: n.Value}
		if n.Token.Type == token.StringType && isDigits(n.Value) {
			v.kind = kindNumber // too large for the parser, but not in quotes
		}
		return v
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return &node{kind: kindNumber, line: tokenLine(n.GetToken()), text: n.GetToken().Value}
	case *ast.BoolNode:
		return &node{kind: kindBool, line: tokenLine(n.GetToken()), text: n.GetToken().Value}
	case *ast.NullNode:
		return &node{kind: kindNull, line: tokenLine(n.GetToken())}
	case nil:
		return &node{kind: kindNull}
	}
	return t.bad(n, "not something a workspace can hold")
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func (t *tree) tagged(n *ast.TagNode) *node {
	v := t.node(n.Value)
	switch token.ReservedTagKeyword(n.Start.Value) {
	case token.StringTag:
		if v.kind == kindNumber || v.kind == kindBool || v.kind == kindNull {
			return &node{kind: kindText, line: v.line, text: v.text}
		}
		return v
	case token.IntegerTag, token.BooleanTag, token.NullTag, token.SequenceTag, token.MappingTag:
		return v
	}
	return t.bad(n, "tag "+n.Start.Value+" is not supported: remove it")
}

func (t *tree) mapping(n ast.Node, entries []*ast.MappingValueNode) *node {
	m := &node{kind: kindMapping, line: tokenLine(n.GetToken())}
	var merges []field
	for _, e := range entries {
		f := field{line: tokenLine(e.Key.GetToken())}
		if e.Key.IsMergeKey() {
			f.name, f.value = "<<", t.node(e.Value)
			merges = append(merges, f)
			continue
		}
		key := t.key(e.Key)
		if f.name, f.value = key.text, t.node(e.Value); key.kind == kindBad {
			f.value = key
		}
		m.fields = append(m.fields, f)
	}
	for _, f := range merges {
		t.merge(m, f)
	}
	return m
}

func (t *tree) key(n ast.MapKeyNode) *node {
	var inner ast.Node = n
	if explicit, ok := n.(*ast.MappingKeyNode); ok {
		inner = explicit.Value
	}
	key := t.node(inner)
	if key.kind == kindList || key.kind == kindMapping {
		return t.bad(n, "a key must be a plain name")
	}
	return key
}

// merge adds the fields of a merge key's value that the mapping does not have.
func (t *tree) merge(m *node, f field) {
	from := []*node{f.value}
	if f.value.kind == kindList {
		from = f.value.items
	}
	has := make(map[string]bool)
	for _, own := range m.fields {
		has[own.name] = true
	}
	for _, v := range from {
		t.merged += 1 + len(v.fields)
		if reason := t.mergeable(v); reason != "" {
			f.value = &node{kind: kindBad, line: f.line, text: reason}
			m.fields = append(m.fields, f)
			return
		}
		for _, other := range v.fields {
			if !has[other.name] {
				has[other.name] = true
				m.fields = append(m.fields, other)
			}
		}
	}
}

func (t *tree) mergeable(v *node) (reason string) {
	switch {
	case v.kind == kindBad:
		return v.text
	case v.kind != kindMapping:
		return "must merge a mapping or a list of mappings"
	case t.merged > maxRepeats:
		return "merge keys repeat too much"
	}
	return ""
}

func (t *tree) bad(n ast.Node, reason string) *node {
	return &node{kind: kindBad, line: tokenLine(n.GetToken()), text: reason}
}
