package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
	"github.com/sightline-hq/sightline/internal/ingest"
)

var update = flag.Bool("update", false, "record the golden cases again")

// A golden case is a folder: the request, the SQL that it runs, and the answer.
// All cases ask the small world in testdata/golden, which can be checked by hand.
func TestGolden(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) { startOn(t, e).goldenCases(t) })
}

// What a request may not hold in memory comes from the engine, and is the same.
func TestGoldenCasesThatHoldTooMuch(t *testing.T) {
	before := kept.Bounds
	t.Cleanup(func() { kept.Bounds = before })
	kept.Bounds.Totals, kept.Bounds.Directories, kept.Bounds.Agents = 0, 0, 0
	onEach(t, func(t *testing.T, e engine) {
		e.golden = "" // the statements are others
		startOn(t, e).goldenCases(t)
	})
}

func (s *system) goldenCases(t *testing.T) {
	s.must(s.apply(read(t, "testdata/golden/workspace.yaml")))
	s.must(s.loadPart(ingest.Answers, read(t, "testdata/golden/answers.ndjson")))
	s.must(s.loadPart(ingest.Pageviews, read(t, "testdata/golden/pageviews.ndjson")))
	keys := make(map[string]string)
	for _, team := range []string{"acme", "agency"} {
		key, err := s.key(team)
		s.must(err)
		keys[team] = key
	}
	cases, err := filepath.Glob("testdata/golden/*/request.txt")
	if err != nil || len(cases) < 15 {
		t.Fatalf("only %d golden cases: %v", len(cases), err)
	}
	for _, path := range cases {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) { s.golden(t, dir, keys) })
	}
}

func (s *system) golden(t *testing.T, dir string, keys map[string]string) {
	target, team := goldenRequest(t, filepath.Join(dir, "request.txt"))
	s.recorder.reset()
	s.rows.reset()
	status, header, body, err := s.Do("GET", target, keys[team])
	if err != nil {
		t.Fatal(err)
	}
	var answer bytes.Buffer
	if err := json.Indent(&answer, body, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	text := fmt.Sprintf("%d\n", status)
	if detail := header.Get("Sightline-Error-Detail"); detail != "" {
		text += "Sightline-Error-Detail: " + detail + "\n"
	}
	same(t, filepath.Join(dir, "answer.json"), text+answer.String(), s.engine.golden == onDuckDB.golden)
	if s.engine.golden == "" {
		return
	}
	statements := s.recorder.String()
	if statements == "" { // packed answers are not read by SQL
		statements = s.rows.String()
	}
	same(t, filepath.Join(dir, s.engine.golden), statements, true)
}

// same compares a text with a file, or records it. One engine records the
// answers, for all.
func same(t *testing.T, path, got string, records bool) {
	t.Helper()
	if *update && records {
		if got == "" {
			os.Remove(path)
		} else if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil && got != "" {
		t.Fatalf("%v: record it with 'make golden'", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run 'make golden':\n%s", path, diff)
	}
}

// goldenRequest reads a request that may be broken over lines, and its team.
func goldenRequest(t *testing.T, path string) (target, team string) {
	for line := range strings.Lines(string(read(t, path))) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#") || line == "":
		case strings.HasPrefix(line, "team: "):
			team = strings.TrimPrefix(line, "team: ")
		default:
			target += strings.TrimPrefix(line, "GET ")
		}
	}
	return target, team
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// recorder keeps the statements that reports run.
type recorder struct {
	facts.Source
	mu         sync.Mutex
	statements []facts.Statement
}

func (r *recorder) Acquire() (facts.Set, error) {
	set, err := r.Source.Acquire()
	if err != nil {
		return nil, err
	}
	return r.record(set), nil
}

func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements = nil
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var text strings.Builder
	for _, s := range r.statements {
		if text.Len() > 0 {
			text.WriteString("\n")
		}
		text.WriteString(s.SQL + "\n")
		if len(s.Args) > 0 {
			fmt.Fprintf(&text, "-- arguments: %q\n", s.Args)
		}
	}
	return text.String()
}

type recordingSet struct {
	facts.Set
	recorder *recorder
}

// recordingReader is one that counts visits without SQL, and recordingAnswers one
// that counts answers so, too.
type (
	recordingReader struct {
		*recordingSet
		facts.Reader
	}
	recordingAnswers struct {
		*recordingReader
		facts.AnswerReader
	}
)

// recordingPages is one that finds pages, too.
type recordingPages struct {
	*recordingAnswers
	pages facts.Pages
}

func (s *recordingPages) OfPage(ctx context.Context, path string, first, last int64) (facts.Set, error) {
	set, err := s.pages.OfPage(ctx, path, first, last)
	if err != nil {
		return nil, err
	}
	return s.recorder.record(set), nil
}

// record wraps a set, as what it is.
func (r *recorder) record(set facts.Set) facts.Set {
	recording := &recordingReader{&recordingSet{set, r}, set.(facts.Reader)}
	answers, ok := set.(facts.AnswerReader)
	if !ok {
		return recording
	}
	if pages, ok := set.(facts.Pages); ok {
		return &recordingPages{&recordingAnswers{recording, answers}, pages}
	}
	return &recordingAnswers{recording, answers}
}

func (s *recordingSet) Again() facts.Set { return s.recorder.record(s.Set.Again()) }

func (s *recordingSet) Query(ctx context.Context, statement facts.Statement, row func(facts.Scan) error) error {
	s.recorder.mu.Lock()
	s.recorder.statements = append(s.recorder.statements, statement)
	s.recorder.mu.Unlock()
	return s.Set.Query(ctx, statement, row)
}
