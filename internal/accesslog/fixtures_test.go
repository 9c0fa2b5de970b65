package accesslog

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// event is a hit to compare with.
type event struct {
	Time, Host, Method string
	Status             int
	Target, UserAgent  string
	Referrer, IP       string
}

func eventOf(h *Hit) event {
	return event{
		Time: time.Unix(h.Second, 0).UTC().Format(time.RFC3339), Host: string(h.Host), Method: string(h.Method),
		Status: h.Status, Target: string(h.Target), UserAgent: string(h.UserAgent),
		Referrer: string(h.Referrer), IP: string(h.IP),
	}
}

const chrome = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36"

// events are what every fixture tells of.
var events = []event{
	{Time: "2026-03-02T09:15:00Z", Host: "acme.com", Method: "GET", Status: 200, Target: "/llms.txt", IP: "20.171.206.1",
		UserAgent: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"},
	{Time: "2026-03-02T09:15:07Z", Host: "acme.com", Method: "GET", Status: 200, Target: "/pricing?utm_source=chatgpt.com", IP: "203.0.113.9",
		UserAgent: chrome, Referrer: "https://chatgpt.com/"},
	{Time: "2026-03-02T09:16:00Z", Host: "acme.com", Method: "GET", Status: 200, Target: "/caf%C3%A9/men%C3%BC?q=a%20b", IP: "2001:db8::1f",
		UserAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1",
		Referrer:  "https://www.perplexity.ai/search?q=best%20rocket"},
	{Time: "2026-03-02T09:16:01Z", Host: "acme.com", Method: "HEAD", Status: 304, Target: "/sitemap.xml", IP: "40.77.167.20",
		UserAgent: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"},
	{Time: "2026-03-02T10:00:00Z", Host: "acme.com", Method: "POST", Status: 404, Target: "/api/contact", IP: "198.51.100.7",
		UserAgent: "curl/8.5.0", Referrer: "https://acme.com/contact"},
	{Time: "2026-03-02T10:00:59Z", Host: "acme.com", Method: "GET", Status: 200, Target: "/blog/post", IP: "198.51.100.8",
		UserAgent: `Mozilla/5.0 "quoted" (X11; Linux x86_64)`},
	{Time: "2026-03-02T11:59:59Z", Host: "acme.com", Method: "GET", Status: 200, Target: "/blog/", IP: "198.51.100.9",
		UserAgent: `Agent\Smith/1.0 C:\new`},
	{Time: "2026-03-02T12:00:00Z", Host: "acme.com", Method: "GET", Status: 301, Target: "/old", IP: "198.51.100.10"},
	{Time: "2024-02-29T23:59:59Z", Host: "acme.com", Method: "GET", Status: 200, Target: "/leap?day=29&x=", IP: "203.0.113.10",
		UserAgent: chrome, Referrer: "android-app://com.openai.chatgpt/"},
	{Time: "2025-12-31T23:30:00Z", Host: "www.acme.com", Method: "GET", Status: 200, Target: "/", IP: "203.0.113.11",
		UserAgent: chrome, Referrer: "https://gemini.google.com/"},
	{Time: "2026-03-29T00:59:59Z", Host: "www.acme.com", Method: "GET", Status: 200, Target: "/a/b/../c;jsessionid=1", IP: "203.0.113.12",
		UserAgent: "Mözilla/5.0 (アクメ; 🚀)"},
	{Time: "2026-03-29T01:00:01Z", Host: "shop.example", Method: "GET", Status: 500, Target: "/search?q=%5Bx%5D", IP: "2600:1f18::7",
		UserAgent: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)"},
}

// fixtures are logs of the events, each with lines that are no hits.
var fixtures = []struct {
	file, format string
	reasons      map[string]int
}{
	{"combined.log", "combined", map[string]int{
		"request line is not HTTP": 1, "no request was read": 1, "missing field: user agent": 1}},
	{"vhost-combined.log", "vhost-combined", map[string]int{"no request was read": 1, "request line without a target": 1}},
	{"cloudfront.log", "w3c", map[string]int{"W3C directive": 2, "no answer was sent": 1}},
	{"iis.log", "w3c", map[string]int{"W3C directive": 8, "wrong number of values": 1}},
	{"caddy.ndjson", "caddy", map[string]int{"not an access log line": 3}},
	{"cloudflare.ndjson", "cloudflare", map[string]int{"request of Cloudflare's own": 2}},
	{"vercel.ndjson", "vercel", map[string]int{"not a request": 1, "background revalidation": 1}},
	{"netlify.ndjson", "netlify", map[string]int{"log type other than traffic": 1, "missing field: user agent": 1}},
	{"traefik.ndjson", "traefik", map[string]int{"not an access log line": 1, "missing field: user agent": 1}},
	{"nginx.ndjson", "nginx-json", map[string]int{
		"request line is not HTTP": 1, "no request was read": 1, "invalid JSON": 1}},
	{"fields.ndjson", "fields", map[string]int{}},
}

func readLines(t testing.TB, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// formatOf is the format by name, or the one of the user's own map.
func formatOf(t testing.TB, name string) Format {
	t.Helper()
	f, err := ByName(name)
	if name == "fields" {
		text, readErr := os.ReadFile(filepath.Join("testdata", "fields.map.json"))
		if readErr != nil {
			t.Fatal(readErr)
		}
		f, err = ParseFieldMap(bytes.NewReader(text))
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// load reads lines as a loader does: hits, and what the others were.
func load(t testing.TB, f Format, lines [][]byte) (hits []event, reasons map[string]int) {
	t.Helper()
	reasons = make(map[string]int)
	layout := f.Layout()
	var h Hit
	for _, line := range lines {
		l, directive, err := f.Directive(line)
		if err != nil {
			t.Fatalf("directive %s: %v", line, err)
		}
		if l != nil {
			layout = l
		}
		if directive {
			reasons["W3C directive"]++
			continue
		}
		for entry := range Entries(line) {
			if err := layout.Parse(entry, &h); err != nil {
				reasons[reason(t, err)]++
				continue
			}
			hits = append(hits, eventOf(&h))
		}
	}
	return hits, reasons
}

func reason(t testing.TB, err error) string {
	t.Helper()
	var skip *Skip
	var bad *Bad
	switch {
	case errors.As(err, &skip):
		return skip.Reason
	case errors.As(err, &bad):
		return bad.Reason
	}
	t.Fatalf("the verdict is neither Skip nor Bad: %v", err)
	return ""
}

func TestEveryFormatTellsTheSameEvents(t *testing.T) {
	for _, fixture := range fixtures {
		t.Run(fixture.file, func(t *testing.T) {
			hits, reasons := load(t, formatOf(t, fixture.format), readLines(t, fixture.file))
			want := append([]event(nil), events...)
			for i := range want {
				switch fixture.format {
				case "combined":
					want[i].Host = ""
				case "netlify":
					want[i].Target = "https://" + want[i].Host + want[i].Target
				}
			}
			if diff := cmp.Diff(want, hits); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(fixture.reasons, reasons); diff != "" {
				t.Errorf("other lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFixturesAreDetected(t *testing.T) {
	for _, fixture := range fixtures {
		if fixture.format == "fields" {
			continue // nobody can guess a user's own keys
		}
		t.Run(fixture.file, func(t *testing.T) {
			f, err := Detect(readLines(t, fixture.file))
			if err != nil {
				t.Fatal(err)
			}
			if f.Name() != fixture.format {
				t.Errorf("detected %s, want %s", f.Name(), fixture.format)
			}
		})
	}
}

// layoutOf is the layout at the end of a fixture's directives.
func layoutOf(t testing.TB, format, file string) (layout Layout, lines [][]byte) {
	t.Helper()
	f := formatOf(t, format)
	layout = f.Layout()
	for _, line := range readLines(t, file) {
		l, directive, _ := f.Directive(line)
		if l != nil {
			layout, lines = l, nil
		}
		if !directive {
			lines = append(lines, line)
		}
	}
	return layout, lines
}

func TestHitsCostNoAllocations(t *testing.T) {
	for _, fixture := range fixtures {
		layout, lines := layoutOf(t, fixture.format, fixture.file)
		var h Hit
		hits := 0
		for _, line := range lines {
			if layout.Parse(line, &h) != nil {
				continue
			}
			hits++
			if n := testing.AllocsPerRun(100, func() { layout.Parse(line, &h) }); n > 0 {
				t.Errorf("%s: %.0f allocations for %.60s…", fixture.file, n, line)
				break
			}
		}
		if hits < 6 {
			t.Errorf("%s: only %d hits were measured", fixture.file, hits)
		}
	}
}

func TestGoroutinesShareALayout(t *testing.T) {
	for _, fixture := range fixtures {
		layout, lines := layoutOf(t, fixture.format, fixture.file)
		var all sync.WaitGroup
		counts := make([]int, 4)
		for i := range counts {
			all.Go(func() {
				var h Hit
				for range 20 {
					for _, line := range lines {
						if layout.Parse(line, &h) == nil {
							counts[i]++
						}
					}
				}
			})
		}
		all.Wait()
		for _, n := range counts {
			if n == 0 || n != counts[0] {
				t.Errorf("%s: goroutines found %v hits", fixture.file, counts)
				break
			}
		}
	}
}
