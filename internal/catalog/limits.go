package catalog

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// A workspace is four levels deep and its mappings have at most ten fields. The
// YAML parser needs a stack frame for every level and for every key, and time
// that grows with the square of the empty values, so files that are far beyond
// any workspace are refused before it sees them.
const (
	maxDepth     = 100
	maxKeys      = 10_000
	maxEmpty     = 10_000
	maxDocuments = 100
	// maxRepeats is how many values aliases may add to those in the file.
	maxRepeats = 500_000
)

// tooWild looks at the tokens of a file and says what is beyond the limits.
func tooWild(tokens token.Tokens) (line int, reason string) {
	var s shape
	for _, tk := range tokens {
		s.add(tk)
		switch {
		case s.flow > maxDepth || len(s.block) > maxDepth || s.run > maxDepth:
			reason = fmt.Sprintf("nested more than %d levels deep", maxDepth)
		case s.keys > maxKeys:
			reason = fmt.Sprintf("more than %d keys in one mapping", maxKeys)
		case s.empty > maxEmpty:
			reason = fmt.Sprintf("more than %d empty values", maxEmpty)
		case s.documents > maxDocuments:
			reason = "more than one document: a workspace is one document"
		}
		if reason != "" {
			return tokenLine(tk), reason
		}
	}
	return 0, ""
}

// shape follows the nesting of tokens roughly; it may overestimate.
type shape struct {
	flow      int      // open brackets and braces
	run       int      // tags, anchors and ? in a row inside them
	block     []column // columns at which open blocks started
	keys      int      // of the block mapping at hand
	empty     int
	documents int
}

type column struct{ at, keys int }

func (s *shape) add(tk *token.Token) {
	switch tk.Type {
	case token.MappingStartType, token.SequenceStartType:
		s.flow++
		s.run = 0
	case token.MappingEndType, token.SequenceEndType:
		s.flow = max(0, s.flow-1)
		s.run = 0
	case token.CollectEntryType:
		s.run = 0
	case token.TagType, token.AnchorType, token.MappingKeyType:
		s.run++
	case token.DocumentHeaderType, token.DocumentEndType:
		s.documents++
	}
	if s.flow == 0 {
		s.run = 0
		s.addBlock(tk)
	}
	if isEmpty(tk) {
		s.empty++
	}
}

func (s *shape) addBlock(tk *token.Token) {
	if !opensBlock(tk) {
		return
	}
	at := tk.Position.Column
	for len(s.block) > 0 && s.block[len(s.block)-1].at > at {
		s.block = s.block[:len(s.block)-1]
	}
	if len(s.block) == 0 || s.block[len(s.block)-1].at < at {
		s.block = append(s.block, column{at: at})
	}
	top := &s.block[len(s.block)-1]
	if tk.Type != token.SequenceEntryType {
		top.keys++
	}
	s.keys = top.keys
}

func opensBlock(tk *token.Token) bool {
	switch tk.Type {
	case token.SequenceEntryType, token.MappingKeyType, token.TagType, token.AnchorType, token.AliasType:
		return true
	}
	return tk.NextType() == token.MappingValueType
}

// isEmpty tells a key or a list entry without a value.
func isEmpty(tk *token.Token) bool {
	if tk.Type != token.MappingValueType && tk.Type != token.SequenceEntryType {
		return false
	}
	switch tk.NextType() {
	case token.CollectEntryType, token.MappingEndType, token.SequenceEndType, token.UnknownType:
		return true
	}
	// The value of a key on later lines stands deeper than the key, but for a
	// list, which may stand right below it.
	least := tk.Position.Column + 1
	if tk.Type == token.MappingValueType && tk.Prev != nil {
		least = tk.Prev.Position.Column + 1
		if tk.Next.Type == token.SequenceEntryType {
			least--
		}
	}
	return tk.Next.Position.Line > tk.Position.Line && tk.Next.Position.Column < least
}
