package catalog

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sightline-hq/sightline/internal/weburl"
)

// Longest texts, in bytes.
const (
	maxText = 10_000
	maxName = 100 // of teams' and websites' ids, of platforms and of keys
)

// rule checks a text and returns it as it is kept, or what is wrong with it.
type rule func(s string) (kept, reason string)

// plainText is for names and prompts. White space around it is not kept, so that
// YAML's folded blocks can be used.
func plainText(s string) (string, string) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return "", "empty"
	case len(s) > maxText:
		return "", fmt.Sprintf("%d bytes long: at most %d are allowed", len(s), maxText)
	}
	return s, uncontrolled(s)
}

// identifier is for ids that people make up and type.
func identifier(s string) (string, string) {
	switch {
	case s == "":
		return "", "empty"
	case len(s) > maxName:
		return "", fmt.Sprintf("%d bytes long: at most %d are allowed", len(s), maxName)
	}
	for _, r := range s {
		if unicode.IsSpace(r) {
			return "", fmt.Sprintf("%s has white space in it", quote(s))
		}
		if !unicode.IsPrint(r) {
			return "", fmt.Sprintf("%s has an unprintable character in it (%U)", quote(s), r)
		}
	}
	return s, uncontrolled(s)
}

// shortText is for platforms and for the names of keys, kept as they are.
func shortText(s string) (string, string) {
	switch {
	case s == "":
		return "", "empty"
	case len(s) > maxName:
		return "", fmt.Sprintf("%d bytes long: at most %d are allowed", len(s), maxName)
	case strings.TrimSpace(s) != s:
		return "", fmt.Sprintf("%s has white space around it", quote(s))
	}
	return s, uncontrolled(s)
}

// domain keeps the bare form, in which domains are compared.
func domain(s string) (string, string) {
	// A final dot is the same domain, spelt out.
	if !weburl.ValidDomain(strings.TrimSuffix(s, ".")) {
		if strings.Contains(s, "/") {
			return "", fmt.Sprintf("%s is not a domain: write it without scheme and path, such as acme.com", quote(s))
		}
		return "", fmt.Sprintf("%s is not a domain such as acme.com", quote(s))
	}
	return weburl.BareDomain(s), ""
}

func webAddress(s string) (string, string) {
	if !weburl.ValidURL(s) {
		return "", fmt.Sprintf("%s is not an http or https URL such as https://acme.com", quote(s))
	}
	return s, ""
}

func uncontrolled(s string) (reason string) {
	if !utf8.ValidString(s) {
		return "not valid UTF-8"
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return fmt.Sprintf("has a control character in it (%U)", r)
		}
	}
	return ""
}

// quote shows what somebody wrote, the beginning of it if it is long.
func quote(s string) string { return fmt.Sprintf("%q", shorten(s)) }

func shorten(s string) string {
	const shown = 60
	if len(s) <= shown {
		return s
	}
	cut := shown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
