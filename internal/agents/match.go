package agents

import (
	"bytes"
	"slices"
	"strings"
)

// token is an entry of the index: a listed token, cut behind its first word.
// "GPTBot" has no rest, "Devin/" has the rest "/", "Kangaroo Bot" has " Bot".
type token struct {
	rest  string
	agent *Agent
}

func (t *Table) indexTokens() {
	t.tokens = make(map[string][]token)
	for i := range t.agents {
		a := &t.agents[i]
		end := 0
		for end < len(a.Token) && isWord(a.Token[end]) {
			end++
		}
		word := strings.ToLower(a.Token[:end])
		t.tokens[word] = append(t.tokens[word], token{a.Token[end:], a})
	}
	for _, tokens := range t.tokens {
		slices.SortStableFunc(tokens, func(a, b token) int { return len(b.rest) - len(a.rest) })
	}
}

// agent returns the listed agent that a user agent names, or nil. Only whole
// words count, in any case: "xGPTBot" is not GPTBot. Of several the longest
// token wins, so Applebot-Extended is not taken for Applebot.
func (t *Table) agent(userAgent string) (best *Agent) {
	for i := 0; i < len(userAgent); i++ {
		if !isWord(userAgent[i]) {
			continue
		}
		start := i
		for i < len(userAgent) && isWord(userAgent[i]) {
			i++
		}
		a := t.word(userAgent, start, i)
		if a != nil && (best == nil || len(a.Token) > len(best.Token)) {
			best = a
		}
	}
	return best
}

// word returns the agent that the word userAgent[start:end] names, or begins
// to name. Where the word itself is not listed, a listed token may go on with
// a hyphen (Googlebot-Image) or with "bot" (omgilibot).
func (t *Table) word(userAgent string, start, end int) *Agent {
	for end > start+1 && userAgent[end-1] == '.' { // the end of a sentence
		end--
	}
	var buffer [maxToken]byte
	lower := buffer[:min(end-start, maxToken)]
	for i := range lower {
		lower[i] = lowerByte(userAgent[start+i])
	}
	if len(lower) == end-start {
		for _, token := range t.tokens[string(lower)] {
			if continues(userAgent[end:], token.rest) {
				return token.agent
			}
		}
		if stem, ok := bytes.CutSuffix(lower, []byte("bot")); ok {
			if a := t.plain(stem); a != nil {
				return a
			}
		}
	}
	for i := len(lower) - 1; i > 0; i-- {
		if lower[i] == '-' {
			if a := t.plain(lower[:i]); a != nil {
				return a
			}
		}
	}
	return nil
}

// plain looks a token of one word up.
func (t *Table) plain(word []byte) *Agent {
	for _, token := range t.tokens[string(word)] {
		if token.rest == "" {
			return token.agent
		}
	}
	return nil
}

// continues reports whether text goes on with rest, and rest ends there.
func continues(text, rest string) bool {
	if len(text) < len(rest) || !strings.EqualFold(text[:len(rest)], rest) {
		return false
	}
	if rest == "" || len(text) == len(rest) {
		return true
	}
	return !isWord(rest[len(rest)-1]) || !isWord(text[len(rest)])
}

func isWord(c byte) bool {
	return isAlnum(c) || c == '.' || c == '_' || c == '-'
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= lowerByte(c) && lowerByte(c) <= 'z'
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
