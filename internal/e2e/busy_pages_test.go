package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/ingest"
)

// Random worlds seldom have days on each of which several pages are busy, and
// requests about just those. Here all days have some: what was counted about busy
// pages must say the same as the rows. It is taken where it may be kept, which
// needs more room than worlds have.
func TestPagesThatAreBusyEveryDayAreReportedAsByTheRows(t *testing.T) {
	defer func(before int64) { hot = before }(hot)
	hot = 16 << 20
	onEach(t, func(t *testing.T, e engine) {
		seed := chooseSeed(t)
		t.Logf("seed %d", seed)
		b := busyDays{rand.New(rand.NewPCG(seed, 0)), 9 + int(seed%9)}
		s := startOn(t, e)
		s.must(s.apply([]byte(`{"teams": [{"id": "t", "name": "T"}], "products": [{"id": 1, "team": "t", "name": "P", "website": "https://p.example/",
			"domain": "p.example", "websites": [{"websiteId": "w1", "domain": "p.example"}, {"websiteId": "w2", "domain": "q.example"}]}]}`)))
		key, err := s.key("t")
		s.must(err)
		for range 2 {
			s.must(s.loadPart(ingest.Pageviews, b.pageviews(400)))
		}
		for range 60 {
			target := "/v1/products/1/analytics/timeseries?" + b.request().Encode()
			if status, _, body, err := s.Do(http.MethodGet, target, key); err != nil || status != http.StatusOK {
				t.Fatalf("%s: %d %s %v", target, status, body, err)
			}
		}
	})
}

// busyDays draws visits to few pages on some days in a row, and requests about them.
type busyDays struct {
	*rand.Rand
	days int
}

var firstBusyDay = time.Date(2026, 2, 23, 0, 0, 0, 0, time.UTC) // a Monday

func (b busyDays) pick(values ...string) string { return values[b.IntN(len(values))] }

// page is one of a few, or one of so many that most are busy in no week or in one.
func (b busyDays) page() string {
	if b.IntN(2) == 0 {
		return fmt.Sprint("/", b.IntN(8))
	}
	return fmt.Sprint("/0/", b.IntN(120))
}

func (b busyDays) pageviews(n int) (lines []byte) {
	for range n {
		at := firstBusyDay.Add(time.Duration(b.IntN(b.days*86400)) * time.Second)
		agent := b.pick("GPTBot/1.2", "ClaudeBot/1.0", "PerplexityBot/1.0", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
		lines = fmt.Appendf(lines, `{"at": %q, "websiteId": %q, "url": %q, "userAgent": %q, "ip": "203.0.113.%d", "referrer": %q}`+"\n",
			at.Format(time.RFC3339), b.pick("w1", "w1", "w2"), "https://p.example"+b.page(), agent, b.IntN(5), b.pick("", "https://chatgpt.com/", "https://r.example/"))
	}
	return lines
}

func (b busyDays) request() url.Values {
	from := firstBusyDay.Add(time.Duration(b.IntN(b.days*24)-12) * time.Hour)
	to := from.Add(time.Duration(b.IntN(b.days*24)) * time.Hour)
	if b.IntN(2) == 0 { // whole days
		from, to = from.Truncate(24*time.Hour), to.Truncate(24*time.Hour).Add(24*time.Hour-time.Second)
	}
	metrics := []string{"bot_visits", "human_visits", "referred_human_visits", "unique_human_visitors", "unique_pages", "unique_human_platforms", "bot_user_agents"}
	v := url.Values{
		"dateFrom": {from.Format(time.RFC3339)}, "dateTo": {to.Format(time.RFC3339)}, "interval": {b.pick("day", "day", "week")},
		"websiteId": {b.pick("w1", "w2")}, "metrics[]": {b.pick(metrics[:3]...), b.pick(metrics...)},
		"page": {b.pick("1", "1", "2", "3")}, "perPage": {b.pick("1", "2", "3", "5", "20")},
	}
	if b.IntN(2) == 0 {
		v.Set("groupBy[]", "normalizedUrlPath")
		v.Set("topLimit", b.pick("1", "1", "2", "3"))
		return v
	}
	v.Set("urlPath", b.page())
	if b.IntN(2) == 0 {
		v.Set("groupBy[]", "platform")
	}
	for range b.IntN(3) {
		v.Add("platforms[]", b.pick("openai", "perplexity", "claude", "none"))
	}
	return v
}
