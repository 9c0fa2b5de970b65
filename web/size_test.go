package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/demotest"
)

// demoPages are the pages that a link in the dashboard leads to, and the
// longest periods.
var demoPages = []string{
	"/", "/?last=7d", "/?last=90d",
	"/prompts", "/prompts?last=90d&view=platform&sort=visibility&order=down", "/prompt?last=90d&prompt=what+is+Taskharbor",
	"/citations", "/citations?last=90d&by=page", "/citations?last=90d&by=product",
	"/traffic", "/traffic?last=90d", "/traffic?last=90d&interval=week",
}

// On the demo as 'make demo' has it, with 90 days, a page with everything it
// loads is under 100 kB, and has the key nowhere. How long pages take depends
// on the machine and on what else it does: it is printed, with the work of the
// processors for dashboard and API together (go test ./web -run Small -v -count=1),
// and not tested.
func TestPagesAreSmall(t *testing.T) {
	demo := demotest.Start(t, demoNow.AddDate(0, 0, -90).Truncate(24*time.Hour), demoNow)
	key := demo.Keys[demotest.Lighthouse]
	d := dashboardOf(t, usual(), func(o *Options) {
		o.BaseURL, o.APIKey, o.Now = demo.URL, key, func() time.Time { return demoNow }
	})
	asset := regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`)
	row := "%-62s %6v %5v %9v %9v %9v"
	t.Logf(row, "page", "bytes", "files", "first", "processor", "again")
	for _, target := range demoPages {
		started, used := time.Now(), processor(t)
		sum, text := compressed(t, d, target)
		first, work := time.Since(started), processor(t)-used
		started = time.Now()
		compressed(t, d, target)
		again := time.Since(started)
		seen := make(map[string]bool)
		for _, m := range asset.FindAllStringSubmatch(text, -1) {
			if !seen[m[1]] {
				n, body := compressed(t, d, m[1])
				sum, text = sum+n, text+body
				seen[m[1]] = true
			}
		}
		if sum > 100_000 || len(seen) < 5 {
			t.Errorf("%s: %d bytes in %d files", target, sum, 1+len(seen))
		}
		if strings.Contains(text, key) || strings.Contains(text, key[3:20]) {
			t.Errorf("%s shows the key", target)
		}
		t.Logf(row, target, sum, 1+len(seen), first.Round(100*time.Microsecond), work.Round(100*time.Microsecond), again.Round(100*time.Microsecond))
	}
}

// processor is how long the processors have worked for this process.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// compressed returns what goes over the wire, and the text in it.
func compressed(t *testing.T, d *Dashboard, target string) (wire int, text string) {
	t.Helper()
	r := httptest.NewRequest("GET", target, nil)
	r.Host = "127.0.0.1"
	r.Header.Set("Accept-Encoding", "gzip")
	res := request(t, d, r)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d", target, res.StatusCode)
	}
	if res.Header.Get("Content-Encoding") != "gzip" {
		return len(res.body), res.body
	}
	z, err := gzip.NewReader(strings.NewReader(res.body))
	must(t, err)
	plain, err := io.ReadAll(z)
	must(t, err)
	return len(res.body), string(plain)
}
