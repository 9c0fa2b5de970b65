package random

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestPathTable(t *testing.T) {
	all := slices.Concat(pages, files)
	for _, p := range all {
		if got := path.Dir(p.normalized); got != p.directory {
			t.Errorf("%q: the parent of %s is %s, not %s", p.sent, p.normalized, got, p.directory)
		}
		for _, other := range all {
			if other.sent == p.normalized && other.normalized != p.normalized {
				t.Errorf("%q is normalized to %s, and that to %s", p.sent, p.normalized, other.normalized)
			}
			if other.sent == p.sent && other != p {
				t.Errorf("%q is listed twice, differently", p.sent)
			}
		}
	}
	if pages[0].sent != "" {
		t.Error("a filter leaves out the first page because it is empty")
	}
}

func TestCitationTable(t *testing.T) {
	for _, c := range cited {
		u, err := url.Parse(c.URL)
		if err != nil || strings.TrimPrefix(u.Hostname(), "www.") != c.Domain {
			t.Errorf("%s: domain %s (%v)", c.URL, c.Domain, err)
		}
		for _, other := range cited {
			if other.Sent == c.URL && other.URL != c.URL {
				t.Errorf("%s becomes %s, and that %s", c.Sent, c.URL, other.URL)
			}
		}
	}
}

func TestSourceTables(t *testing.T) {
	for _, r := range referrers {
		u, err := url.Parse(r.sent)
		if err != nil || strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") != r.host {
			t.Errorf("%s: host %s (%v)", r.sent, r.host, err)
		}
	}
	for _, x := range slices.Concat(plainTails, utmTails) {
		u, err := url.Parse("https://acme.com/" + x.sent)
		if err != nil || u.Query().Get("utm_source") != x.utmSource {
			t.Errorf("%s: utm_source %q (%v)", x.sent, x.utmSource, err)
		}
	}
	for _, own := range ownReferrers {
		u, err := url.Parse(own("acme.com"))
		if err != nil {
			t.Fatal(err)
		}
		host := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), ".")
		if host != "acme.com" {
			t.Errorf("%v is a referrer of its own", u)
		}
	}
}

func TestAgentTable(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range slices.Concat(browsers, plainBots, aiAgents) {
		if seen[a.userAgent] {
			t.Errorf("%q is listed twice", a.userAgent)
		}
		seen[a.userAgent] = true
		named := strings.NewReplacer(" ", "-").Replace(strings.ToLower(a.userAgent))
		if a.Bot && a.Platform != "other" && !strings.Contains(named, a.BotType) {
			t.Errorf("%q does not name %s", a.userAgent, a.BotType)
		}
	}
}

func TestSpellingsOfATimeMeanTheSame(t *testing.T) {
	at := day(2026, 3, 1)
	for zone, want := range map[string]string{
		"Z":      "2026-03-01T00:00:00.5Z",
		"z":      "2026-03-01T00:00:00.5z",
		"-00:00": "2026-03-01T00:00:00.5-00:00",
		"+05:30": "2026-03-01T05:30:00.5+05:30",
		"-11:45": "2026-02-28T12:15:00.5-11:45",
	} {
		if got := spell(at, ".5", zone); got != want {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}
