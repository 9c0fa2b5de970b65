package client

import (
	"errors"
	"net/http"
	"strings"
)

// secret is the key, inside functions: package fmt ignores the methods of
// unexported fields and would print a string, whatever its type.
type secret struct {
	authorize func(http.Header)
	hide      func(string) string
}

func newSecret(key string) (secret, error) {
	if key == "" {
		return secret{}, errors.New("client: key: empty")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return secret{}, errors.New("client: key: must be printable ASCII without spaces and line ends")
	}
	return secret{
		authorize: func(h http.Header) { h.Set("Authorization", "Bearer "+key) },
		hide:      func(s string) string { return strings.ReplaceAll(s, key, "[key]") },
	}, nil
}

// hideIn returns the error itself unless its text has the key in it.
func (s secret) hideIn(err error) error {
	if text := err.Error(); s.hide(text) != text {
		return errors.New(s.hide(text))
	}
	return err
}

// longestText is how much of a text of the server's an error repeats.
const longestText = 500

// tidy makes a text of the server's fit for an error: one line, not too long,
// without the key.
func (s secret) tidy(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s.hide(text), "\uFFFD"))
	if runes := []rune(text); len(runes) > longestText {
		text = string(runes[:longestText]) + "…"
	}
	return strings.TrimSpace(text)
}
