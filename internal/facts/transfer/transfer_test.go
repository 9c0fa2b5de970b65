package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/facts/transfer"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Unix()

func visit(i int) *facts.Visit {
	v := &facts.Visit{
		Second: monday + int64(i%3)*facts.WeekSeconds + int64(i), WebsiteID: fmt.Sprint("w", i%4), Bot: i%2 == 0, Visitor: 1<<63 + uint64(i%5),
		Origin: &facts.Origin{Platform: []string{"openai", "none"}[i%2], BotType: []string{"gptbot", "none"}[i%2]},
		Page:   &facts.Page{URLPath: fmt.Sprint("/ü'\\", i), NormalizedURLPath: fmt.Sprint("/", i%7), URLPathDirectory: "/"},
		Agent:  &facts.Agent{UserAgent: fmt.Sprint("agent ", i%3)},
	}
	if i%10 == 0 {
		v.ID = fmt.Sprint("id", i)
	}
	return v
}

func answer(i int) *facts.Answer {
	return &facts.Answer{
		ID: fmt.Sprint("a", i), Second: monday + int64(i%2)*facts.WeekSeconds, ProductID: 101, PromptID: int64(i % 4), Platform: "openai",
		Mentions:  []facts.Mention{{ProductID: 101, Position: 2}, {ProductID: 200 + int64(i%2), Position: 1}}[:i%3],
		Citations: []facts.Citation{{URL: fmt.Sprint("https://a.example/", i%5), Domain: "a.example"}, {URL: "https://b.example/", Domain: "b.example"}}[:i%3],
	}
}

func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// fill loads some visits and answers.
func fill(t *testing.T, store facts.Store, from, to int) {
	t.Helper()
	loader := must[facts.Loader](t)(store.OpenLoader(t.Context(), nil))
	defer loader.Close()
	for _, kind := range []facts.Kind{facts.KindVisits, facts.KindAnswers} {
		load := must[facts.Load](t)(loader.Begin(t.Context(), kind))
		defer load.Abort()
		for i := from; i < to; i++ {
			add := func() error { return load.AddVisit(visit(i)) }
			if kind == facts.KindAnswers {
				add = func() error { return load.AddAnswer(answer(i)) }
			}
			if err := add(); err != nil {
				t.Fatal(err)
			}
		}
		must[facts.Published](t)(load.Publish(t.Context(), []facts.Input{{Kind: kind, SHA256: fmt.Sprint(kind, from), Name: "file", Bytes: 7}}))
	}
}

func copyAll(t *testing.T, from, to facts.Store) (transfer.Copied, error) {
	t.Helper()
	return copyTelling(t, t.Context(), from, to, untold)
}

func copyTelling(t *testing.T, ctx context.Context, from, to facts.Store, progress transfer.Progress) (transfer.Copied, error) {
	t.Helper()
	source := must[facts.Loader](t)(from.OpenLoader(t.Context(), nil))
	defer source.Close()
	inputs := make(map[facts.Kind][]facts.Input)
	for _, kind := range []facts.Kind{facts.KindVisits, facts.KindAnswers} {
		inputs[kind] = must[[]facts.Input](t)(source.Inputs(t.Context(), kind))
	}
	target := must[facts.Loader](t)(to.OpenLoader(t.Context(), nil))
	defer target.Close()
	return transfer.Copy(ctx, follow(t, from), inputs, target, progress)
}

func untold(transfer.Step, facts.Kind, int64, int64, int64) {}

func follow(t *testing.T, store facts.Store) facts.Live {
	t.Helper()
	live := must[facts.Live](t)(store.Follow(t.Context(), facts.Following{Poll: time.Hour}))
	t.Cleanup(func() { live.Close() })
	return live
}

// From files to shards, to one server, and back to files: nothing is lost.
func TestACopyIsTheSameOnEveryEngine(t *testing.T) {
	cluster := clickhousetest.Start(t, 2)
	at := func(url string) facts.Store {
		config := must[clickhouse.Config](t)(clickhouse.ParseURL(url, func(string) string { return clickhousetest.Password }))
		store := clickhouse.Store{Config: config}
		must[clickhouse.Migrated](t)(store.Migrate(t.Context()))
		return store
	}
	stores := []facts.Store{duckdb.Store{Dir: t.TempDir()}, at(cluster.URL("shards")), at(cluster.Servers[1].URL("one")), duckdb.Store{Dir: t.TempDir()}}
	fill(t, stores[0], 0, 200)
	for i, to := range stores[1:] {
		copied, err := copyAll(t, stores[i], to)
		if err != nil || copied.Weeks != 5 || copied.Rows != 400 || copied.Inputs < 2 {
			t.Fatalf("copy %d: %+v %v", i+1, copied, err)
		}
		same, err := transfer.Compare(t.Context(), follow(t, stores[0]), follow(t, to), untold)
		if err != nil || same.Weeks != 5 || same.Rows < 100 {
			t.Errorf("copy %d: %+v %v", i+1, same, err)
		}
	}
}

func TestDifferencesAreFound(t *testing.T) {
	from, to := duckdb.Store{Dir: t.TempDir()}, duckdb.Store{Dir: t.TempDir()}
	fill(t, from, 0, 50)
	fill(t, to, 0, 49)
	if _, err := transfer.Compare(t.Context(), follow(t, from), follow(t, to), untold); err == nil || !strings.Contains(err.Error(), "of the week 2026-03-09 differ") {
		t.Errorf("a row that is missing: %v", err)
	}
	empty := duckdb.Store{Dir: t.TempDir()}
	if _, err := transfer.Compare(t.Context(), follow(t, from), follow(t, empty), untold); err == nil || !strings.Contains(err.Error(), "3 weeks in the source and of 0") {
		t.Errorf("an empty target: %v", err)
	}
}

func TestACopyTellsHowFarItIs(t *testing.T) {
	from, to := duckdb.Store{Dir: t.TempDir()}, duckdb.Store{Dir: t.TempDir()}
	fill(t, from, 0, 50)
	if _, err := copyAll(t, from, to); err != nil {
		t.Fatal(err)
	}
	told := make(map[transfer.Step]int64)
	next := int64(0)
	_, err := transfer.Compare(t.Context(), follow(t, from), follow(t, to), func(step transfer.Step, _ facts.Kind, _, done, weeks int64) {
		if told[step] == 0 {
			next = 0
		}
		if told[step]++; done != next || done >= weeks {
			t.Errorf("%s: %d of %d after %d", step, done, weeks, next)
		}
		next++
	})
	if err != nil || told[transfer.Counting] != told[transfer.Comparing] || told[transfer.Counting] < 3 {
		t.Errorf("%v %v", told, err)
	}
}

// Whoever looks at the target of a copy that was interrupted, at any week, can tell.
func TestAnInterruptedCopyIsSeen(t *testing.T) {
	from, to := duckdb.Store{Dir: t.TempDir()}, duckdb.Store{Dir: t.TempDir()}
	fill(t, from, 0, 50)
	unfinished := func() bool { return transfer.Unfinished(must[facts.Status](t)(to.Status(t.Context()))) }
	for week := range 5 {
		ctx, interrupt := context.WithCancel(t.Context())
		_, err := copyTelling(t, ctx, from, to, func(step transfer.Step, _ facts.Kind, _, done, _ int64) {
			if step == transfer.Copying && done == int64(week) {
				interrupt()
			}
		})
		if interrupt(); !errors.Is(err, context.Canceled) || unfinished() != (week > 0) {
			t.Errorf("interrupted in week %d: unfinished is %t: %v", week, unfinished(), err)
		}
	}
	if _, err := copyAll(t, from, to); err != nil || unfinished() {
		t.Errorf("when it has ended, unfinished is %t: %v", unfinished(), err)
	}
}

func TestACopyDoesNotMix(t *testing.T) {
	from, to := duckdb.Store{Dir: t.TempDir()}, duckdb.Store{Dir: t.TempDir()}
	fill(t, from, 0, 50)
	fill(t, to, 50, 60)
	if _, err := copyAll(t, from, to); err == nil || !strings.Contains(err.Error(), "the target has facts already") {
		t.Errorf("%v", err)
	}
	other := duckdb.Store{Dir: t.TempDir()}
	if _, err := copyAll(t, from, other); err != nil {
		t.Fatal(err)
	}
	fill(t, from, 50, 60) // the source goes on
	if _, err := copyAll(t, from, other); err == nil || !strings.Contains(err.Error(), "the source has changed since") {
		t.Errorf("%v", err)
	}
}
