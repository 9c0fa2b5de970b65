package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A real server, ten times more reports than can run and wait: every caller gets
// an answer or the 503, the memory stays within the budget, and afterwards all is
// as before.
func TestAFloodOfReportsStaysWithinTheMemory(t *testing.T) {
	const memory = 256 << 20
	p, admin := administered(t, "SIGHTLINE_MEMORY=256MiB", "SIGHTLINE_MAX_QUERIES=2", "SIGHTLINE_MAX_QUEUE=8", "SIGHTLINE_NO_CACHE=true")
	const visits = 24_000 // more than are counted one by one
	p.run("load", "pageviews", write(t, "views.ndjson", visits, func(i int) string {
		return fmt.Sprintf(`{"at":"2026-03-%02dT09:00:00Z","websiteId":"w-acme","url":"/some/path/of/a/page/%d","userAgent":"curl/8.5.0"}`, 1+i%28, i)
	}))
	p.serve()
	before, err := p.visits()
	if err != nil {
		t.Fatal(err)
	}
	statuses := flood(t, p, 100, 2*time.Second)
	t.Logf("%v; most memory %d MiB", statuses, peak(t, p.server.Process.Pid)>>20)
	if statuses[200] < 5 || statuses[503] < 100 || len(statuses) != 2 {
		t.Errorf("statuses %v", statuses)
	}
	if most := peak(t, p.server.Process.Pid); most > memory {
		t.Errorf("%d MiB were used, of %d", most>>20, memory>>20)
	}
	started := time.Now()
	if after, err := p.visits(); err != nil || after != before || time.Since(started) > 5*time.Second {
		t.Errorf("after it: %v in %s", err, time.Since(started))
	}
	f := scrape(t, admin)
	// Those who asked the same at the same time were turned away together.
	if n := f.value(t, "sightline_queries_turned_away_total"); n > float64(statuses[503]) || n < float64(statuses[503])/2 {
		t.Errorf("%v were counted as turned away, %d were", n, statuses[503])
	}
	for _, none := range []string{"sightline_queries_running", "sightline_queries_waiting"} {
		if n := f.value(t, none); n != 0 {
			t.Errorf("%s is %v", none, n)
		}
	}
}

// flood asks for large pages, each another one, and counts the statuses.
func flood(t *testing.T, p *program, callers int, while time.Duration) map[int]int {
	t.Helper()
	var mu sync.Mutex
	statuses := make(map[int]int)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	end := time.Now().Add(while)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for j := 0; time.Now().Before(end); j++ {
				perPage := 5000
				if j%4 == 0 {
					perPage = 20_000 // streamed
				}
				req, err := http.NewRequest("GET", fmt.Sprintf("%s/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T00:00:%02dZ"+
					"&groupBy[]=urlPath&metrics[]=bot_visits&metrics[]=unique_pages&perPage=%d&page=%d", p.base, i%60, perPage, 1+j%2), nil)
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Authorization", "Bearer "+p.key)
				res, err := client.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, res.Body); err != nil {
					t.Error(err)
				}
				res.Body.Close()
				mu.Lock()
				statuses[res.StatusCode]++
				mu.Unlock()
				if res.StatusCode == http.StatusServiceUnavailable {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	all.Wait()
	return statuses
}

// peak is the most memory that a process ever had of its own, in bytes: without
// the pages of files, such as the program's.
func peak(t *testing.T, pid int) (bytes int64) {
	t.Helper()
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	values := make(map[string]int64)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 3 && words[2] == "kB" {
			values[strings.TrimSuffix(words[0], ":")], _ = strconv.ParseInt(words[1], 10, 64)
		}
	}
	if values["VmHWM"] == 0 {
		t.Fatal("no VmHWM")
	}
	return (values["VmHWM"] - values["RssFile"]) << 10
}
