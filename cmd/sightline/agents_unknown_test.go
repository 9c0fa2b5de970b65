package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLongUserAgentsAreShortenedOnATerminal(t *testing.T) {
	fits, half := strings.Repeat("ä", shortWidth), strings.Repeat("ä", 55)
	for _, c := range []struct{ name, text, want string }{
		{"fits", fits, fits},
		{"too long", "first" + fits + "last", "first" + half + "…" + half + "last"},
		{
			"boilerplate", "Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36",
			"Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) …",
		},
		{
			"boilerplate that fits", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; A/1)",
			"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; A/1)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shortened(c.text); got != c.want || utf8.RuneCountInString(got) > shortWidth {
				t.Errorf("shortened to\n%s, want\n%s", got, c.want)
			}
		})
	}
}

func TestUserAgentsAreWholeWhereNobodyLooks(t *testing.T) {
	var out bytes.Buffer
	long := strings.Repeat("x", 2*shortWidth)
	if err := printUnknown(&out, []unknownAgent{{long, 3, 1772442960}, {"", 2, 1772442961}}); err != nil {
		t.Fatal(err)
	}
	want := "VISITS  LAST SEEN             USER AGENT\n3       2026-03-02T09:16:00Z  " + long + "\n2       2026-03-02T09:16:01Z  (none)\n"
	if got := out.String(); got != want {
		t.Errorf("printed\n%s, want\n%s", got, want)
	}
}

// More than a page of user agents that the table knows by now come before the
// first that it does not.
func TestRareUserAgentsAreFoundBehindManyThatAreKnownByNow(t *testing.T) {
	const known = 2*fewestPerPage + 1
	p := newProgram(t, t.TempDir())
	visits := write(t, "visits.ndjson", 2*known+1, func(i int) string {
		userAgent := fmt.Sprintf("NewBot/%d", i%known)
		if i == 2*known {
			userAgent = "curl/8.5.0"
		}
		return fmt.Sprintf(`{"at":"2026-03-02T09:00:00Z","websiteId":"w-acme","url":"/","userAgent":%q}`, userAgent)
	})
	p.run("load", "pageviews", visits)
	own := write(t, "own.csv", 1, func(int) string { return "token,bot_type,platform\nNewBot,newbot,new" })
	if got := p.run("agents", "--unknown", "--agents", own); strings.Count(got, "\n") != 2 || !strings.Contains(got, "\n1       2026-03-02T09:00:00Z  curl/8.5.0\n") {
		t.Errorf("listed\n%s, want curl alone", got)
	}
	if got := p.run("agents", "--unknown"); strings.Count(got, "\n") != 31 || !strings.Contains(got, "\n2       2026-03-02T09:00:00Z  NewBot/0\n") {
		t.Errorf("listed\n%s, want 30 of NewBot", got)
	}
}
