package show

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestTextOfStrangersIsPrintedSafely(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", `Bot/1.0 (+https://a.example; "x")`, `Bot/1.0 (+https://a.example; "x")`},
		{"letters of other scripts", "Бот/1.0 机器人", "Бот/1.0 机器人"},
		{"colours", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"title of the window", "\x1b]0;own\a", `\x1b]0;own\a`},
		{"escape sequences of eight bits", "\u009b31m", `\u009b31m`},
		{"new line and column", "a\r\nb\tc\vd\fe", `a\r\nb\tc\vd\fe`},
		{"text turned round", "a\u202eb\u2066c\u200fd", `a\u202eb\u2066c\u200fd`},
		{"hidden text", "a\u200bb\ufeffc\u00a0d\u2028e", `a\u200bb\ufeffc\u00a0d\u2028e`},
		{"no UTF-8", "a\xffb", `a\xffb`},
		{"backslash", `\x1b`, `\\x1b`},
		{"backslash before a quote", `\"`, `\\"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Printable(c.text); got != c.want {
				t.Errorf("Printable(%q) = %s, want %s", c.text, got, c.want)
			}
		})
	}
}

func TestNoCharacterThatActsOnATerminalIsPrinted(t *testing.T) {
	for c := range unicode.MaxRune + 1 {
		for _, r := range Printable(string(c)) {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
				t.Errorf("%U is printed as %U", c, r)
			}
		}
	}
}
func TestASafeWriterLetsNothingActOnATerminal(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain lines", "a,b\nä,机\n", "a,b\nä,机\n"},
		{"escape sequence", "a\x1b[31mb", `a\u001b[31mb`},
		{"carriage return and tab", "a\r\tb", `a\u000d\u0009b`},
		{"delete", "\x7f", `\u007f`},
		{"text turned round", "a\u202eb", `a\u202eb`},
		{"hidden beyond the first plane", "\U000e0041", `\udb40\udc41`},
		{"no UTF-8", "a\xffb", "a\ufffdb"},
		{"cut off", "a\xe6\x9c", "a\ufffd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			s := NewSafe(&out)
			for i := range len(c.text) { // in pieces, as writers write
				s.Write([]byte{c.text[i]})
			}
			if err := s.Flush(); err != nil || out.String() != c.want {
				t.Errorf("%q, %v, want %q", out.String(), err, c.want)
			}
		})
	}
}

func TestTextsAreCutToTheColumnsOfATerminal(t *testing.T) {
	for _, c := range []struct {
		name, text  string
		limit       int
		end, middle string
	}{
		{"fits", "abcdef", 6, "abcdef", "abcdef"},
		{"too long", "abcdefgh", 6, "abcde…", "abc…gh"},
		{"wide characters", "机器人机器人", 6, "机器…", "机…人"},
		{"combining marks take no room", "a\u0301b\u0301c\u0301d", 4, "a\u0301b\u0301c\u0301d", "a\u0301b\u0301c\u0301d"},
		{"next to nothing", "abcdef", 3, "ab…", "ab…"},
		{"nothing", "abcdef", 0, "…", "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cut(c.text, c.limit); got != c.end {
				t.Errorf("cut to %q, want %q", got, c.end)
			}
			if got := cutMiddle(c.text, c.limit); got != c.middle {
				t.Errorf("cut in the middle to %q, want %q", got, c.middle)
			}
		})
	}
}

func TestATextThatIsCutFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Printable(rapid.String().Draw(t, "text"))
		limit := rapid.IntRange(1, 30).Draw(t, "limit")
		for _, short := range []string{cut(text, limit), cutMiddle(text, limit)} {
			if columns(short) > limit || short != text && !strings.Contains(short, "…") {
				t.Fatalf("%q in %d columns is %q", text, limit, short)
			}
		}
	})
}
