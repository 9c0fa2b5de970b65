package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

// number is what a variable says, or few: of loads that are killed, for example.
func number(t *testing.T, variable, few string) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv(variable), few))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A load that is killed at any moment leaves nothing or everything: the server's
// answers are those before or those after, and a rerun completes it.
func TestKillingALoadLeavesNothingOrEverything(t *testing.T) {
	t.Parallel()
	killing(t, newProgramOn(t, t.TempDir(), killWorkspace), number(t, "SIGHTLINE_KILLS", "15"))
}

// In ClickHouse it is the same, on all shards at once.
func TestKillingALoadIntoShardsLeavesNothingOrEverything(t *testing.T) {
	t.Parallel()
	p := newProgramOn(t, t.TempDir(), killWorkspace)
	p.env = clickhouseEnvironment(clickhousetest.Start(t, 2), "facts")
	p.run("migrate")
	killing(t, p, number(t, "SIGHTLINE_KILLS_CLICKHOUSE", "6"))
}

// clickhouseEnvironment is what makes a command use a database of a cluster.
func clickhouseEnvironment(c *clickhousetest.Cluster, database string) []string {
	return []string{"SIGHTLINE_FACTS=" + c.URL(database), "SIGHTLINE_CLICKHOUSE_PASSWORD=" + clickhousetest.Password}
}

// killWorkspace has several websites and prompts, so that no shard goes without.
const killWorkspace = `
teams: [{id: acme, name: Acme}]
products:
  - id: 101
    team: acme
    name: Acme Rocket
    website: https://www.acme.com
    domain: acme.com
    websites: [{websiteId: w-acme, domain: acme.com}, {websiteId: w-1, domain: one.example}, {websiteId: w-2, domain: two.example}, {websiteId: w-3, domain: three.example}]
    prompts: [{id: 11, text: best rocket, platforms: [openai]}, {id: 12, text: fast rocket}, {id: 13, text: cheap rocket}, {id: 14, text: red rocket}]
`

func killing(t *testing.T, p *program, kills int) {
	t.Helper()
	p.env = append(p.env, "SIGHTLINE_WEBSITE=w-acme") // of the log, which names none
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	p.serve()
	log := &growingLog{t: t, path: filepath.Join(t.TempDir(), "access.log")}

	started := time.Now()
	p.run("load", "pageviews", killVisits(t, -1))
	p.run("load", "answers", killAnswers(t, -1))
	p.run("load", "logs", log.grow())
	whole := time.Since(started) / 3
	p.wait("2000", `"timestamp":"2026-03-02T00:00:00Z"`) // the server has noticed
	interrupted, most := 0, kills+12
	// Few kills may all come too late: then there are more.
	for i := 0; i < kills || interrupted == 0 && i < most; i++ {
		kills = max(kills, i+1)
		kind, file, ask := "pageviews", "", p.visits
		switch i % 3 {
		case 0:
			file = killVisits(t, i)
		case 1:
			kind, file, ask = "answers", killAnswers(t, i), p.runs
		case 2:
			kind, file = "logs", log.grow()
		}
		before, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		seen := killed(t, p, ask, time.Duration(random.Int64N(int64(whole*3/2))), "load", kind, file)
		rerun := time.Now()
		p.run("load", kind, file)
		whole = (3*whole + time.Since(rerun)) / 4 // a rerun of what was published is short
		after := settled(t, ask, before)
		for _, answer := range seen {
			if answer != before && answer != after {
				t.Fatalf("kill %d: %s\nis neither the answer before: %s\nnor the one after: %s", i, answer, before, after)
			}
		}
		if len(seen) > 0 && seen[len(seen)-1] == before {
			interrupted++
		}
		if after == before {
			t.Fatalf("kill %d: the rerun added nothing: %s", i, after)
		}
	}
	t.Logf("%d of %d loads were killed before they were published", interrupted, kills)
	if interrupted == 0 {
		t.Error("no load was killed before it was published: the kills came too late")
	}
	p.wait(fmt.Sprint((kills+2)/3*1000+1000+log.lines/3), `"timestamp":"2026-03-02T00:00:00Z"`)
}

// growingLog is a log that is loaded again and again.
type growingLog struct {
	t     *testing.T
	path  string
	lines int
}

// grow writes on, in three weeks, as a server would.
func (g *growingLog) grow() string {
	g.t.Helper()
	f, err := os.OpenFile(g.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		g.t.Fatal(err)
	}
	for range 3000 {
		g.lines++
		fmt.Fprintf(f, `203.0.113.10 - - [%02d/Mar/2026:09:00:%02d +0000] "GET /%d HTTP/1.1" 200 512 "-" "curl/8.5.0"`+"\n", 2+7*(g.lines%3), g.lines%60, g.lines)
	}
	if err := f.Close(); err != nil {
		g.t.Fatal(err)
	}
	return g.path
}

// killed starts a command, asks all the time, and kills it after a while. It
// returns the answers that were seen, those after the kill included.
func killed(t *testing.T, p *program, ask func() (string, error), after time.Duration, args ...string) (seen []string) {
	t.Helper()
	cmd := p.command(args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		time.Sleep(after)
		cmd.Process.Signal(syscall.SIGKILL)
		cmd.Wait()
		time.Sleep(250 * time.Millisecond) // longer than the server needs to notice
		close(ended)
	}()
	for {
		answer, err := ask()
		if err != nil {
			t.Fatalf("while %s is killed: %v", args[0], err)
		}
		seen = append(seen, answer)
		select {
		case <-ended:
			return seen
		default:
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// settled asks until the answer is no longer the one before.
func settled(t *testing.T, ask func() (string, error), before string) (answer string) {
	t.Helper()
	for range 100 {
		var err error
		if answer, err = ask(); err != nil {
			t.Fatal(err)
		}
		if answer != before {
			return answer
		}
		time.Sleep(20 * time.Millisecond)
	}
	return answer
}

// killVisits are visits in three weeks.
func killVisits(t *testing.T, n int) string {
	return write(t, "pageviews.ndjson", 3000, func(i int) string {
		return fmt.Sprintf(`{"at":"2026-03-%02dT09:00:%02dZ","websiteId":"%s","url":"/%d/%d","userAgent":"curl/8.5.0"}`,
			2+7*(i%3), i%60, []string{"w-acme", "w-1", "w-2", "w-3"}[i/3%4], n, i)
	})
}

// killAnswers are answers in three weeks, a third of which replace older ones.
func killAnswers(t *testing.T, n int) string {
	return write(t, "answers.ndjson", 1500, func(i int) string {
		id := fmt.Sprintf("%d-%d", n, i)
		if i%3 == 0 {
			id = fmt.Sprint(i)
		}
		return fmt.Sprintf(`{"id":"%s","promptId":%d,"platform":"openai","at":"2026-03-%02dT09:00:00Z",`+
			`"mentions":[{"productId":101,"position":%d}],"citations":["https://a.example/%d"]}`, id, 11+(i+n+1)%4, 2+7*((i+n+1)%3), i%4+1, i)
	})
}
