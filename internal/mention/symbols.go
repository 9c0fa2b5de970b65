package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// address stands for a whole URL or e-mail address in a list of symbols. No
// name contains it.
const address rune = -1

// symbol is a normalised character of a text.
type symbol struct {
	r      rune
	class  class
	border bool // a word may begin here
}

// site is a host named at symbols [start, end).
type site struct {
	start, end int
	host       string
}

// symbols is a text as the finder sees it.
type symbols struct {
	list   []symbol
	sites  []site
	parted bool // markup stood before the next symbol: a word border
}

// read normalises a text. Addresses are cut out before case is folded, because
// case tells "acme.it" from a full stop without a space ("Acme.It is").
func read(text string) *symbols {
	s := prepare(text)
	w := &symbols{list: make([]symbol, 0, len(s))}
	done := 0
	for i := 0; i < len(s); {
		a, ok := addressAt(s, i)
		if !ok {
			i = a.end
			continue
		}
		w.prose(s[done:i])
		w.address(a, s[i:a.end])
		i, done = a.end, a.end
	}
	w.prose(s[done:])
	return w
}

// address adds a place that addressAt found. A bare domain keeps its characters,
// without word borders among them, so that a name like "Node.js" can match it.
func (w *symbols) address(a place, text string) {
	start := len(w.list)
	if a.bare {
		for i, r := range text {
			w.add(unicode.ToLower(r))
			if i > 0 {
				w.list[len(w.list)-1].border = false
			}
		}
	} else {
		w.add(address)
	}
	if a.host != "" {
		w.sites = append(w.sites, site{start, len(w.list), normalizeDomain(a.host)})
	}
}

// prose adds text that contains no address.
func (w *symbols) prose(s string) {
	if !ascii(s) {
		s = norm.NFKC.String(cases.Fold().String(s))
	}
	for i, r := range s {
		switch {
		case isMarkup(r):
			w.parted = true
		case r == '\\' && i+1 < len(s) && isASCIIPunct(s[i+1]):
		case unicode.IsSpace(r):
			w.space()
		case isHyphen(r) && w.endsInWord() && startsWithWord(s[i+utf8.RuneLen(r):]):
			w.space()
		case isHyphen(r):
			w.add('-')
		case isApostrophe(r):
			w.add('\'')
		case r >= 'A' && r <= 'Z':
			w.add(r + 'a' - 'A')
		default:
			w.add(r)
		}
	}
}

func (w *symbols) add(r rune) {
	s := symbol{r: r, class: classOf(r), border: true}
	if n := len(w.list); n > 0 && !w.parted {
		before := w.list[n-1]
		s.border = border(before.r, r, before.class, s.class)
	}
	w.parted = false
	w.list = append(w.list, s)
}

func (w *symbols) space() {
	if n := len(w.list); n > 0 && w.list[n-1].r != ' ' {
		w.add(' ')
	}
}

func (w *symbols) endsInWord() bool {
	n := len(w.list)
	return n > 0 && w.list[n-1].class != separator
}

// endsAt reports whether a name that is matched up to symbol i ends there as a
// word of its own.
func (w *symbols) endsAt(i int) bool {
	if i == len(w.list) || w.list[i].border {
		return true
	}
	if w.list[i-1].class != hangul {
		return false
	}
	end := i
	var syllables [longestEnding]rune
	for ; end < len(w.list) && w.list[end].class == hangul; end++ {
		if end-i == longestEnding {
			return false
		}
		syllables[end-i] = w.list[end].r
	}
	return end > i && areParticles(syllables[:end-i]) && (end == len(w.list) || w.list[end].border)
}

// prepare normalises what case folding leaves alone. Signs that stand next to a
// word without being part of it become markup or get markup around them before
// NFKC would turn "Acme™" into "acmetm" and "Acme²" into "acme2".
func prepare(s string) string {
	if ascii(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r < 128:
			b.WriteByte(byte(r))
		case r == '\u200B': // zero width space
			b.WriteByte(' ')
		case r == '™' || r == '℠' || r == '®' || r == '©':
			b.WriteByte('*')
		case unicode.Is(unicode.No, r):
			b.WriteByte('*')
			b.WriteRune(r)
			b.WriteByte('*')
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFKC.String(b.String())
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isMarkup(r rune) bool { return r == '*' || r == '_' || r == '`' || r == '~' }

func isHyphen(r rune) bool {
	return r == '-' || r >= '\u2010' && r <= '\u2013' || r == '\u2212' || r == '\u05BE'
}

func isApostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == '‘' || r == 'ʼ' || r == '′'
}

func isASCIIPunct(c byte) bool {
	return c > ' ' && c < 0x7F && asciiClass[c] == separator
}

// startsWithWord looks through markup.
func startsWithWord(s string) bool {
	for _, r := range s {
		if !isMarkup(r) {
			return classOf(r) != separator
		}
	}
	return false
}
