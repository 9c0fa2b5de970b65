package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/internal/house"
)

// The whole, small: every stage, every question, and every engine that this
// machine has. That answers are equal is checked by the benchmark itself.
func TestTheWholeBenchmark(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for PostgreSQL's user
		t.Fatal(err)
	}
	o := options{
		dir: dir, out: dir, program: filepath.Join(dir, "sightline"), chdb: os.Getenv("SIGHTLINE_CHDB"), repeat: 1, memory: "256MiB",
		wrkSeconds: 1, tenantPart: 2, weekVisits: 500, weekLengths: []int{2}, dayLengths: []int{7, 14},
		size: data.Size{Visits: 8000, Mentions: 10_000, VisitDays: 16, AnswerDays: 16, Others: 1, Seed: 3},
	}
	stages := allStages
	for name, missing := range map[string]string{
		"postgres":   absent("/usr/lib/postgresql/*/bin/postgres", "PostgreSQL"),
		"clickhouse": absent("/usr/sbin/clickhouse-server", "the ClickHouse server"),
		"chdb":       absent(o.chdb, "the ClickHouse library (SIGHTLINE_CHDB names it)"),
		"wrk":        absent("/usr/bin/wrk", "wrk"),
	} {
		if missing == "" {
			continue
		}
		t.Run("without "+name, func(t *testing.T) { house.Skip(t, missing) })
		if name == "wrk" {
			stages = without(stages, name)
		} else {
			o.without = strings.Trim(o.without+","+name, ",")
		}
	}
	o.stages = strings.Join(stages, ",")
	if out, err := exec.Command("go", "build", "-o", o.program, "../../cmd/sightline").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "RESULTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	if o.without == "" && !strings.Contains(string(text), "with the facts in ClickHouse: at least 5 ×") {
		t.Errorf("nothing is said of the facts in ClickHouse:\n%s", text)
	}
	for _, want := range []string{"| 30 | prompts of another domain", "rollups at most double", "other tenants", "linearly in days", "start to first answer"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in the results:\n%s", want, text)
		}
	}
}

// absent says what is missing if no file matches.
func absent(pattern, what string) string {
	if found, _ := filepath.Glob(pattern); len(found) > 0 {
		return ""
	}
	return what + " is not installed"
}

func without(list []string, name string) (rest []string) {
	for _, one := range list {
		if one != name {
			rest = append(rest, one)
		}
	}
	return rest
}

func TestAnUnknownEngineOrStageIsAMistake(t *testing.T) {
	for name, o := range map[string]options{
		"engine": {without: "oracle", stages: "report"},
		"stage":  {stages: "dance"},
	} {
		t.Run(name, func(t *testing.T) {
			o.dir, o.out, o.size = t.TempDir(), t.TempDir(), data.Size{VisitDays: 1, AnswerDays: 1, Others: 1}
			if err := run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "there is no") {
				t.Error(err)
			}
		})
	}
}

func TestWhatWrkPrints(t *testing.T) {
	const good = `Running 2s test
  Latency Distribution
     50%    2.89ms
     75%    4.00ms
     99%  232.10us
  18737 requests in 2.01s, 12.00MB read
Requests/sec:   9329.10
`
	w, err := parseWrk(good)
	if err != nil || w.PerSecond != 9329.10 || w.P50 != 2.89 || w.P99 < 0.232 || w.P99 > 0.2322 {
		t.Errorf("%+v %v", w, err)
	}
	for _, bad := range []string{"nonsense", good + "  Non-2xx or 3xx responses: 7\n", good + "  Socket errors: connect 0, read 3\n"} {
		if w, err := parseWrk(bad); err == nil {
			t.Errorf("%+v of %s", w, bad)
		}
	}
}
