package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

func TestQueriesThatAreTooLongAreRefused(t *testing.T) {
	f := serve(t, nil)
	path := "/v1/products/101/prompts?"
	query := "domain=acme.com&" + march
	fill := strings.Repeat("a", 32<<10-len(query)-len("&x="))
	for _, c := range []struct{ name, query, detail string }{
		{"the longest", query + "&x=" + fill, ""},
		{"one byte more", query + "&x=a" + fill, "query string: longer than 32768 bytes"},
		{"the longest list", query + strings.Repeat("&platforms[]=a", 1000), ""},
		{"one value more", query + strings.Repeat("&platforms[]=a", 1001), "platforms[]: more than 1000 values"},
		{"a list of numbers", query + strings.Repeat("&labelIds[]=1", 1001), "labelIds[]: more than 1000 values"},
	} {
		res, _ := f.get(t, path+c.query)
		want := 200
		if c.detail != "" {
			want = 400
		}
		if detail := res.Header.Get("Sightline-Error-Detail"); res.StatusCode != want || detail != c.detail {
			t.Errorf("%s: %d %s", c.name, res.StatusCode, detail)
		}
	}
	for _, list := range []string{"/v1/products?x=", "/v1/products/101/websites?x="} { // they never answer 400 (S24)
		if res, _ := f.get(t, list+strings.Repeat("a", 33<<10)); res.StatusCode != 200 {
			t.Errorf("%s: %d", list, res.StatusCode)
		}
	}
}

// Ten times more reports than can run and wait: the others are told at once, and
// when the flood is over everything is as before.
func TestAFloodIsTurnedAwayAtOnce(t *testing.T) {
	const limit = 50 * time.Millisecond * slowdown
	var slowest time.Duration
	for range 3 { // machines that run tests are busy
		if slowest = flood(t); slowest <= limit {
			return
		}
	}
	t.Errorf("99 %% were turned away within %s, want %s", slowest, limit)
}

// flood returns how long nearly all of those waited who were turned away.
func flood(t *testing.T) time.Duration {
	t.Helper()
	var mu sync.Mutex
	took := make(map[int][]time.Duration)
	var busy, most atomic.Int64
	f := serve(t, func(s *server.Server) {
		s.Queries, s.Queue, s.Patience = 4, 12, 5*time.Second
		s.Observe = func(_ string, status int, time time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			took[status] = append(took[status], time)
		}
		s.Reports = &report.Reports{Facts: stubborn(func(context.Context) error {
			n := busy.Add(1)
			defer busy.Add(-1)
			for before := most.Load(); n > before && !most.CompareAndSwap(before, n); before = most.Load() {
			}
			time.Sleep(20 * time.Millisecond)
			return nil
		})}
	})
	transport := &http.Transport{MaxIdleConnsPerHost: 160}
	defer transport.CloseIdleConnections()
	var callers sync.WaitGroup
	for i := range 160 {
		callers.Go(func() {
			for j := range 5 {
				status, err := askAs(&http.Client{Transport: transport}, f, fmt.Sprintf("%s&platforms[]=%d-%d", summary, i, j))
				if err != nil || status != 200 && status != 503 {
					t.Errorf("%d %v", status, err)
				}
			}
		})
	}
	callers.Wait()
	started := time.Now()
	if res, _ := f.get(t, summary); res.StatusCode != 200 || time.Since(started) > 5*time.Second {
		t.Errorf("after it: %d in %s", res.StatusCode, time.Since(started))
	}
	told := strings.Count(f.logged(), "turning some away")
	away := took[503]
	t.Logf("%d answered, %d turned away, p99 %s, most %s; %d ran at once", len(took[200]), len(away), percentile(away, 99), percentile(away, 100), most.Load())
	if len(away) < 100 || len(took[200]) < 16 || most.Load() > 4 || told == 0 || told > 5 {
		t.Errorf("%d ran at once, the log tells of it %d times", most.Load(), told)
	}
	return percentile(away, 99)
}

func askAs(client *http.Client, f *fixture, path string) (int, error) {
	req, err := http.NewRequest("GET", f.URL+path, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+f.key)
	res, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// Whoever would have to wait for longer than the patience is told so at once.
func TestAReportThatCannotHaveItsTurnInTimeDoesNotWait(t *testing.T) {
	f := serve(t, func(s *server.Server) {
		s.Queries, s.Queue, s.Patience = 1, 100, 300*time.Millisecond
		s.Reports = &report.Reports{Facts: stubborn(func(ctx context.Context) error {
			time.Sleep(200 * time.Millisecond)
			return nil
		})}
	})
	for i := range 4 { // so that it is known how long a report takes
		f.get(t, fmt.Sprintf("%s&platforms[]=before-%d", summary, i))
	}
	var late atomic.Int64
	var callers sync.WaitGroup
	for i := range 20 {
		callers.Go(func() {
			started := time.Now()
			status, err := askAs(http.DefaultClient, f, fmt.Sprintf("%s&platforms[]=%d", summary, i))
			if err != nil {
				t.Error(err)
			}
			if status == 503 && time.Since(started) > 250*time.Millisecond {
				late.Add(1)
			}
		})
	}
	callers.Wait()
	if late.Load() > 2 {
		t.Errorf("%d were told late", late.Load())
	}
}
