package mention

// trie holds all names of a finder. A text is read once, and at each word
// border the trie is followed as far as some name goes on, so the work depends on
// the text and not on the number of names.
type trie struct {
	next  map[edge]int32
	first [128]int32 // edges of the root by ASCII character, which most texts ask for
	ends  [][]int    // by node: the products that have a name ending there
}

type edge struct {
	from int32
	r    rune
}

func newTrie() *trie {
	return &trie{next: make(map[edge]int32), ends: make([][]int, 1)}
}

func (t *trie) add(name []symbol, product int) {
	if len(name) == 0 {
		return
	}
	node := int32(0)
	for _, s := range name {
		to := t.step(node, s.r)
		if to == 0 {
			to = int32(len(t.ends))
			t.ends = append(t.ends, nil)
			t.next[edge{node, s.r}] = to
			if node == 0 && s.r < 128 {
				t.first[s.r] = to
			}
		}
		node = to
	}
	t.ends[node] = insert(t.ends[node], product)
}

// step returns the node behind an edge, 0 without one.
func (t *trie) step(node int32, r rune) int32 {
	if node == 0 && r >= 0 && r < 128 {
		return t.first[r]
	}
	return t.next[edge{node, r}]
}

// walk adds the names that begin at symbol i and end as words.
func (t *trie) walk(s *symbols, i int, hits []hit) []hit {
	node := int32(0)
	for end := i; end < len(s.list); {
		node = t.step(node, s.list[end].r)
		if node == 0 {
			return hits
		}
		end++
		if products := t.ends[node]; products != nil && s.endsAt(end) {
			hits = append(hits, hit{i, end, products})
		}
	}
	return hits
}
