package demo

import (
	"bytes"
	"io"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"zgo.at/isbot"
)

type pageviewLine struct {
	At        time.Time `json:"at"`
	WebsiteID string    `json:"websiteId"`
	URL       string    `json:"url"`
	Method    string    `json:"method"`
	Status    int       `json:"status"`
	UserAgent string    `json:"userAgent"`
	Referrer  string    `json:"referrer"`
	IP        string    `json:"ip"`
}

func pageviewsOf(t *testing.T, days int) []pageviewLine {
	t.Helper()
	var b bytes.Buffer
	if _, err := Pageviews(&b, end.AddDate(0, 0, -days), end); err != nil {
		t.Fatal(err)
	}
	return decode[pageviewLine](t, b.Bytes())
}

func TestPageviewsFitTheWorkspace(t *testing.T) {
	hosts := make(map[string]string)
	for _, p := range decodeWorkspace(t).Products {
		for _, w := range p.Websites {
			if w.Tracked == nil || *w.Tracked {
				hosts[w.ID] = w.Domain
			}
		}
	}
	reserved := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::/32")}
	seen := make(map[string]bool)
	var last time.Time
	for _, p := range pageviewsOf(t, 7) {
		u, err := url.Parse(p.URL)
		if err != nil || u.Host == "" || u.Host != hosts[p.WebsiteID] {
			t.Fatalf("%s is not a page of %s", p.URL, p.WebsiteID)
		}
		ip, err := netip.ParseAddr(p.IP)
		if err != nil || !slices.ContainsFunc(reserved, func(net netip.Prefix) bool { return net.Contains(ip) }) {
			t.Fatalf("%s is not reserved for documentation", p.IP)
		}
		if p.At.Before(last) {
			t.Fatalf("%v follows %v", p.At, last)
		}
		last = p.At
		seen[p.WebsiteID] = true
	}
	if len(seen) != len(hosts) {
		t.Errorf("traffic for %v, want all of %v", seen, hosts)
	}
}

// isBot asks the generic list. Claude-User, which signs with a mailbox and not
// with a URL, is known by its name alone.
func isBot(userAgent string) bool {
	return isbot.Is(isbot.UserAgent(userAgent)) || strings.Contains(userAgent, "Claude-User")
}

func TestUserAgentsAreWhatTheySay(t *testing.T) {
	for _, b := range browsers.items {
		if isBot(b.userAgent) {
			t.Errorf("%s looks like a bot", b.userAgent)
		}
	}
	for _, b := range bots.items {
		if !isBot(b.userAgent) {
			t.Errorf("%s looks like a browser", b.userAgent)
		}
	}
	for _, token := range strings.Fields("GPTBot ChatGPT-User OAI-SearchBot ClaudeBot Claude-User PerplexityBot Googlebot bingbot meta-externalagent Applebot Amazonbot Bytespider CCBot") {
		if !slices.ContainsFunc(bots.items, func(b client) bool { return strings.Contains(b.userAgent, token) }) {
			t.Errorf("%s never comes", token)
		}
	}
}

func TestSharesOfTraffic(t *testing.T) {
	count := make(map[string]float64)
	for _, p := range pageviewsOf(t, 14) {
		count["all"]++
		switch {
		case strings.HasPrefix(p.URL, "https://"+strings.Split(p.URL, "/")[2]+"/assets/"):
			count["asset"]++
		case p.Status == 404:
			count["dead"]++
		}
		if isBot(p.UserAgent) {
			count["bot"]++
			continue
		}
		count["human"]++
		count[arrival(p)]++
	}
	for _, c := range []struct {
		part, of  string
		low, high float64
	}{
		{"human", "all", 0.53, 0.58}, {"bot", "all", 0.42, 0.47},
		{"ai", "human", 0.04, 0.08}, {"referred", "human", 0.36, 0.44}, {"own", "human", 0.30, 0.40}, {"direct", "human", 0.14, 0.25},
		{"asset", "all", 0.005, 0.03}, {"dead", "all", 0.01, 0.03},
	} {
		if share := count[c.part] / count[c.of]; share < c.low || share > c.high {
			t.Errorf("%s are %.3f of %s, want %v to %v", c.part, share, c.of, c.low, c.high)
		}
	}
}

func arrival(p pageviewLine) string {
	u, _ := url.Parse(p.URL)
	source := u.Query().Get("utm_source")
	ai := func(o origin) bool { return o.referrer == p.Referrer && o.utmSource == source }
	switch {
	case p.Referrer == "" && source == "":
		return "direct"
	case slices.ContainsFunc(aiOrigins.items, ai):
		return "ai"
	case strings.Contains(p.Referrer, u.Host):
		return "own"
	}
	return "referred"
}

func TestMachineFilesAreReadByBotsOnly(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range pageviewsOf(t, 3) {
		u, _ := url.Parse(p.URL)
		if slices.Contains(machineFiles, u.Path) {
			seen[u.Path] = true
			if !isBot(p.UserAgent) {
				t.Fatalf("%s read %s", p.UserAgent, u.Path)
			}
		}
	}
	for _, file := range []string{"/robots.txt", "/sitemap.xml", "/llms.txt"} {
		if !seen[file] {
			t.Errorf("nobody read %s", file)
		}
	}
}

func TestNinetyDaysAreAboutAHundredAndSixtyThousandLines(t *testing.T) {
	n, err := Pageviews(io.Discard, start, end)
	if err != nil || n < 140_000 || n > 180_000 {
		t.Errorf("%d lines, %v", n, err)
	}
	thursday := time.Date(2026, 11, 12, 0, 0, 0, 0, time.UTC)
	n, _ = Pageviews(io.Discard, thursday, thursday.AddDate(0, 0, 1))
	if n < 1850 || n > 2150 {
		t.Errorf("%d lines on the last Thursday, want about 2,000", n)
	}
	before, _ := Pageviews(io.Discard, start, start.AddDate(0, 0, 28))
	after, _ := Pageviews(io.Discard, end.AddDate(0, 0, -28), end)
	if growth := float64(after) / float64(before); growth < 1.02 || growth > 1.3 {
		t.Errorf("traffic grew to %.2f times in two months", growth)
	}
}

// A few pages get most of the traffic, and people come back.
func TestPopularityAndReturningVisitors(t *testing.T) {
	visits, visitors := make(map[string]int), make(map[string]map[string]bool)
	total := 0
	for _, p := range pageviewsOf(t, 7) {
		if p.WebsiteID != "w-taskharbor" || isBot(p.UserAgent) {
			continue
		}
		total++
		visits[p.URL]++
		day := p.At.Format(time.DateOnly)
		if visitors[day] == nil {
			visitors[day] = make(map[string]bool)
		}
		visitors[day][p.IP+p.UserAgent] = true
	}
	counts := slices.Sorted(maps.Values(visits))
	top := 0
	for _, n := range counts[len(counts)-10:] {
		top += n
	}
	if share := float64(top) / float64(total); share < 0.4 || share > 0.8 {
		t.Errorf("the ten most popular addresses get %.2f of the visits", share)
	}
	back := 0
	first, second := visitors["2026-11-10"], visitors["2026-11-11"]
	for v := range first {
		if second[v] {
			back++
		}
	}
	if back == 0 || back == len(first) {
		t.Errorf("%d of %d visitors came back the next day", back, len(first))
	}
}
