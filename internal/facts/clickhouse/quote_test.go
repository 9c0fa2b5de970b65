package clickhouse

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
)

// unquote reads a literal as a ClickHouse server does, and returns what follows.
func unquote(t interface{ Fatalf(string, ...any) }, text string) (value, rest string) {
	if text[0] != '\'' {
		t.Fatalf("%q does not begin a literal", text)
	}
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\'':
			return out.String(), text[i+1:]
		case b == '\\' && text[i+1] == 'x':
			high, low := strings.IndexByte("0123456789abcdef", text[i+2]), strings.IndexByte("0123456789abcdef", text[i+3])
			out.WriteByte(byte(high<<4 | low))
			i += 3
		case b == '\\':
			out.WriteByte(text[i+1])
			i++
		default:
			out.WriteByte(b)
		}
	}
	t.Fatalf("%q does not end", text)
	return "", ""
}

// nasty draws texts that might break out of a literal.
var nasty = rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune{'\'', '\\', '"', '`', '?', ';', '-', '\x00', '\n', 'x', '0', 'n', '{', ':', '}', '/', '*'})),
	rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))

func TestNothingBreaksOutOfALiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := nasty.Draw(t, "text")
		after := nasty.Draw(t, "after")
		if value, rest := unquote(t, quote(text)+after); value != text || rest != after {
			t.Fatalf("%q is read as %q, then %q", text, value, rest)
		}
	})
}

func FuzzQuote(f *testing.F) {
	for _, seed := range []string{"", "'", `\`, `\'`, "a\x00b", "?", "' or 1 = 1 --", `\\' union all`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if value, rest := unquote(t, quote(text)); value != text || rest != "" {
			t.Errorf("%q is read as %q, then %q", text, value, rest)
		}
	})
}

func TestArgumentsGoIntoTheirPlaces(t *testing.T) {
	for _, c := range []struct {
		name string
		in   facts.Statement
		want string // or an error
	}{
		{"none", facts.Statement{SQL: "select 1"}, "select 1"},
		{"texts and numbers", facts.Statement{SQL: "a = ? and b in (?, ?)", Args: []any{"x'", 3, int64(-4)}}, `a = 'x\'' and b in (3, -4)`},
		{"a question mark in an argument", facts.Statement{SQL: "? ?", Args: []any{"?", "y"}}, "'?' 'y'"},
		{"too few", facts.Statement{SQL: "? ?", Args: []any{"x"}}, "a statement has 2 places for 1 arguments"},
		{"too many", facts.Statement{SQL: "?", Args: []any{"x", "y"}}, "a statement has 1 places for 2 arguments"},
		{"of an unknown type", facts.Statement{SQL: "?", Args: []any{1.5}}, "a float64 cannot be written into SQL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := bind(c.in)
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
