package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

// shardProgram is a program with its facts on two shards, a little of them on
// each.
func shardProgram(t *testing.T) (*program, *clickhousetest.Cluster) {
	t.Helper()
	cluster := clickhousetest.Start(t, 2)
	p := newProgramOn(t, t.TempDir(), killWorkspace)
	p.env = append(clickhouseEnvironment(cluster, "facts"), "SIGHTLINE_QUERY_TIMEOUT=3s", "SIGHTLINE_MAX_QUERIES=4")
	p.run("migrate")
	p.run("load", "pageviews", killVisits(t, 0))
	p.run("load", "answers", killAnswers(t, 0))
	return p, cluster
}

// question is a report that no server has given before: the window ends at
// another second each time, after the last fact.
type question struct {
	path string
	mu   sync.Mutex
	next int
}

func (q *question) ask(p *program) (status int, body string, took time.Duration, err error) {
	q.mu.Lock()
	q.next++
	end := time.Date(2026, 6, 1, 0, 0, q.next, 0, time.UTC).Format(time.RFC3339)
	q.mu.Unlock()
	req, err := http.NewRequest("GET", p.base+q.path+"&dateFrom=2026-01-01T00:00:00Z&dateTo="+end, nil)
	if err != nil {
		return 0, "", 0, err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	started := time.Now()
	res, err := p.client.Do(req)
	if err != nil {
		return 0, "", 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), time.Since(started), err
}

// While a shard is down, or hangs, answers are right or the 500, in time; once it
// is back, they are right again, without a restart.
func TestAShardThatIsDownGivesThe500AndNoWrongAnswer(t *testing.T) {
	t.Parallel()
	p, cluster := shardProgram(t)
	p.serve()
	questions := []*question{
		{path: "/v1/products/101/analytics/timeseries?interval=week&metrics[]=bot_visits&metrics[]=unique_pages"},
		{path: "/v1/products/101/analytics/timeseries?groupBy[]=urlPath&perPage=3"},
		{path: "/v1/products/101/prompts?domain=acme.com"},
		{path: "/v1/products/101/citations?domain=acme.com&groupBy=property"},
	}
	want := make([]string, len(questions))
	for i, q := range questions {
		status, body, _, err := q.ask(p)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s %v", q.path, status, body, err)
		}
		want[i] = body
	}
	second := cluster.Servers[1]
	for _, fault := range []struct {
		name        string
		begin, heal func()
	}{
		{"down", second.Stop, second.Start},
		{"killed", second.Kill, second.Start},
		{"hanging", second.Pause, second.Resume},
	} {
		t.Run(fault.name, func(t *testing.T) {
			during := askAll(t, p, questions, want, fault.begin)
			if during[http.StatusInternalServerError] == 0 {
				t.Errorf("no answer noticed: %v", during)
			}
			fault.heal()
			for i, q := range questions {
				p.until(func() (string, error) {
					second.Revive()
					_, body, _, err := q.ask(p)
					return body, err
				}, want[i])
			}
		})
	}
}

// askAll asks everything at once, before and after a fault begins, and returns
// how often each status came.
func askAll(t *testing.T, p *program, questions []*question, want []string, begin func()) map[int]int {
	t.Helper()
	const internal = `{"message":"Internal server error."}` + "\n"
	var mu sync.Mutex
	statuses := make(map[int]int)
	var askers sync.WaitGroup
	end := time.Now().Add(6 * time.Second)
	for i, q := range questions {
		askers.Go(func() {
			for time.Now().Before(end) {
				status, body, took, err := q.ask(p)
				right := status == http.StatusOK && body == want[i] || status == http.StatusInternalServerError && body == internal ||
					status == http.StatusServiceUnavailable
				if err != nil || !right || took > 9*time.Second { // patience and the query's time
					t.Errorf("%s: %d %s after %s: %v", q.path, status, body, took, err)
				}
				mu.Lock()
				statuses[status]++
				mu.Unlock()
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	begin()
	askers.Wait()
	return statuses
}

// What a user types on the facts in ClickHouse works as it does on a data
// directory.
func TestCommandsOnFactsInClickHouse(t *testing.T) {
	t.Parallel()
	cluster := clickhousetest.Start(t, 2)
	p := newProgramOn(t, t.TempDir(), killWorkspace)
	p.env = clickhouseEnvironment(cluster, "facts")
	file := killVisits(t, 0)
	expectAll(t, p.fail("load", "pageviews", file), "has no tables for facts yet", "sightline migrate")
	expectAll(t, p.fail("status"), "has no tables for facts yet")
	expectAll(t, p.run("migrate"), "are new, with schema 2, on 2 servers", "?cluster=shards")
	expectAll(t, p.run("migrate"), "have schema 2 already")
	expectAll(t, p.run("status"), "none yet")
	expectAll(t, p.run("load", "pageviews", file), "visits", "3000", "3 weeks")
	expectAll(t, p.run("load", "pageviews", file), "was loaded before")
	cluster.Servers[0].Query("alter table facts.editions delete where kind = 'agent_totals'") // as if it were an earlier version's
	for cluster.Servers[0].Query("select count() from system.mutations where is_done = 0") != "0" {
		time.Sleep(10 * time.Millisecond)
	}
	expectAll(t, p.run("migrate"), "have schema 2 already", "Counted: the visits of 3 weeks")
	if again := p.run("migrate"); strings.Contains(again, "Counted") {
		t.Errorf("counted again:\n%s", again)
	}
	expectAll(t, p.run("load", "answers", killAnswers(t, 0)), "answers", "1500")
	expectAll(t, p.run("load", "answers", killAnswers(t, 1)), "replaced", "500")
	expectAll(t, p.run("status", "--weeks"), "facts in", "clickhouse://127.0.0.1", "visits", "3000", "2500", "2026-03-02", "pageviews.ndjson")
	expectAll(t, p.run("agents", "--unknown"), "3000", "curl/8.5.0")
	expectAll(t, p.run("prune", "--before", "2026-03-10", "--dry-run"), "dry run", "1000")
	if out := p.run("prune", "--before", "2026-03-10"); !strings.Contains(out, "Removed, in version") || strings.Contains(out, " 0 B") {
		t.Error(out)
	}
	expectAll(t, p.run("status"), "2000")
	expectAll(t, p.run("forget", "--website", "w-1", "--dry-run"), "visits", "500", "dry run")
	expectAll(t, p.run("forget", "--website", "w-1", "--yes", "--now"), "Removed for good, in version", "Backups")
	expectAll(t, p.run("status"), "1500")
	if err := os.WriteFile(filepath.Join(p.data, "secret"), []byte(strings.Repeat("ab", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	expectAll(t, p.fail("load", "pageviews", killVisits(t, 3)), "is not the one that these facts were loaded with")
	cluster.Servers[1].Stop()
	expectAll(t, p.fail("load", "pageviews", killVisits(t, 2)), "shard 2 of 2 of the cluster shards is down", "start it")
	if _, err := os.Stat(filepath.Join(p.data, "facts", "manifest.db")); err == nil {
		t.Error("there are facts in the data directory, too")
	}
}

// The password is in the environment, and nowhere else.
func TestThePasswordOfClickHouseIsNotPrinted(t *testing.T) {
	cluster := clickhousetest.Start(t, 1)
	p := newProgramOn(t, t.TempDir(), killWorkspace)
	p.env = clickhouseEnvironment(cluster, "facts")
	outputs := p.run("migrate") + p.run("load", "pageviews", killVisits(t, 0)) + p.run("status")
	cluster.Servers[0].Stop()
	outputs += p.fail("status") + p.fail("load", "pageviews", killVisits(t, 1)) + p.fail("serve", "--listen", "127.0.0.1:0")
	if strings.Contains(outputs, clickhousetest.Password) {
		t.Errorf("it is:\n%s", outputs)
	}
	p.env = []string{"SIGHTLINE_FACTS=clickhouse://u:s3cr3t@h:x/db"}
	cmd := p.command("status")
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != exitUsage || strings.Contains(string(out), "s3cr3t") {
		t.Errorf("%v %s", err, out)
	}
}

func TestFactsInClickHouseOverTLS(t *testing.T) {
	t.Parallel()
	url, authority := clickhousetest.StartSecure(t, "facts")
	p := newProgramOn(t, t.TempDir(), killWorkspace)
	p.env = []string{"SIGHTLINE_FACTS=" + url, "SIGHTLINE_CLICKHOUSE_PASSWORD=" + clickhousetest.Password}
	expectAll(t, p.fail("migrate"), "certificate")
	p.env = append(p.env, "SSL_CERT_FILE="+authority)
	expectAll(t, p.run("migrate"), "on 1 server")
	expectAll(t, p.run("load", "pageviews", killVisits(t, 0)), "3000")
	expectAll(t, p.run("status"), "3000")
}

// A copy that is killed again and again goes on where it was, and ends the same
// as its source.
func TestCopyingFactsToClickHouse(t *testing.T) {
	t.Parallel()
	cluster := clickhousetest.Start(t, 2)
	p := newProgramOn(t, t.TempDir(), killWorkspace)
	visits, answers := killVisits(t, 0), killAnswers(t, 0)
	p.run("load", "pageviews", visits)
	p.run("load", "answers", answers)
	p.run("load", "answers", killAnswers(t, 1))
	p.serve()
	want := p.everything()
	p.stop()

	inData := p.env
	inClickHouse := append(clickhouseEnvironment(cluster, "facts"), inData...)
	p.env = inClickHouse
	p.run("migrate")
	p.env = append([]string{"SIGHTLINE_CLICKHOUSE_PASSWORD=" + clickhousetest.Password}, inData...)
	copyThere := []string{"copy", "--to", cluster.URL("facts")}
	for i := range 4 {
		cmd := p.command(copyThere...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(200+150*i) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	cmd := p.command(copyThere...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const unfinished = "a copy into these facts has not come to its end: run the same 'sightline copy' again"
	p.env = inClickHouse
	for tries := 0; !strings.Contains(p.run("status"), unfinished); tries++ { // a week takes longer than asking
		if tries == 100 {
			t.Fatal("nobody is told of the copy that is under way")
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	expectAll(t, p.fail("load", "pageviews", visits), unfinished)
	p.serve()
	p.stop()
	expectAll(t, p.log.String(), "answers lack what is not copied yet")
	p.env = append([]string{"SIGHTLINE_CLICKHOUSE_PASSWORD=" + clickhousetest.Password}, inData...)
	out := p.run(copyThere...)
	expectAll(t, out, "Compared the sums of 6 weeks", "they are the same")
	expectAll(t, p.run(copyThere...), "Copied before: 6 weeks.", "they are the same")

	p.env = inClickHouse
	if status := p.run("status"); strings.Contains(status, unfinished) {
		t.Errorf("of a copy that has ended, status says\n%s", status)
	}
	expectAll(t, p.run("load", "pageviews", visits), "was loaded before")
	expectAll(t, p.run("load", "answers", answers), "was loaded before")
	p.serve()
	if got := p.everything(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.run("load", "pageviews", killVisits(t, 5))
	p.env = append([]string{"SIGHTLINE_CLICKHOUSE_PASSWORD=" + clickhousetest.Password}, inData...)
	expectAll(t, p.fail(copyThere...), "the target has facts already")
}

// everything is a few answers in one text.
func (p *program) everything() (all string) {
	const window = "&dateFrom=2026-01-01T00:00:00Z&dateTo=2026-06-01T00:00:00Z"
	for _, path := range []string{
		"/v1/products/101/analytics/timeseries?metrics[]=bot_visits&metrics[]=unique_pages&metrics[]=bot_user_agents&groupBy[]=platform&perPage=500",
		"/v1/products/101/analytics/timeseries?groupBy[]=urlPath&perPage=500",
		"/v1/products/101/prompts?domain=acme.com", "/v1/products/101/prompts/dates?domain=acme.com", "/v1/products/101/citations?domain=acme.com",
	} {
		body, err := p.get(path + window)
		if err != nil {
			p.t.Fatal(err)
		}
		all += body
	}
	return all
}

func expectAll(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in:\n%s", w, text)
		}
	}
}
