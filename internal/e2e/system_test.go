package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/oracle"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

const poll = 10 * time.Millisecond

// hot is so little that some of what reports read is kept at hand, and some not.
var hot int64 = 64 << 10

// system is a whole Sightline: a data directory and a server on it. Every
// answer is checked against the OpenAPI document on its way.
type system struct {
	t        testing.TB
	dir      datadir.Dir
	catalog  func() string // where a new, empty catalog is to be
	store    *catalog.Store
	live     *catalog.Live
	engine   engine
	place    facts.Store // of the facts
	facts    facts.Live
	recorder *recorder // of the statements that reports run
	rows     *recorder // of those that they run on rows alone
	server   *httptest.Server
	merging  duckdb.Merging   // zero: the default
	plain    *httptest.Server // the same, from rows alone
	few      *httptest.Server // the same, with few visits counted one by one
	bySQL    *httptest.Server // the same, from what was counted beforehand, but read by SQL
	client   *http.Client
	acme     string        // a key of the team of that name, once one was needed
	loading  time.Duration // of worlds
}

// start serves a new, empty data directory.
func start(t testing.TB) *system {
	t.Helper()
	dir := datadir.Dir(t.TempDir())
	return startWith(t, dir, dir.Catalog, onDuckDB)
}

// startOn does so with the facts in an engine.
func startOn(t testing.TB, e engine) *system {
	t.Helper()
	dir := datadir.Dir(t.TempDir())
	return startWith(t, dir, dir.Catalog, e)
}

func startWith(t testing.TB, dir datadir.Dir, catalog func() string, e engine) *system {
	t.Helper()
	s := &system{t: t, dir: dir, engine: e, catalog: catalog, client: contract.NewClient(t)}
	s.open()
	t.Cleanup(s.close)
	return s
}

func (s *system) open() {
	ctx := context.Background()
	var err error
	s.must(s.dir.Create())
	s.store, err = catalog.Open(ctx, s.catalog())
	s.must(err)
	s.live, err = catalog.Follow(ctx, s.store, poll)
	s.must(err)
	s.place, err = s.engine.empty(s)
	s.must(err)
	s.facts, err = s.place.Follow(ctx, facts.Following{Poll: s.engine.pace(), Hot: hot})
	s.must(err)
	s.recorder = &recorder{Source: s.facts}
	s.server = s.serve(&report.Reports{Facts: s.recorder, Many: true})
	s.few = s.serve(&report.Reports{Facts: s.facts})
	s.rows = &recorder{Source: s.facts}
	s.plain = s.serve(&report.Reports{Facts: s.rows, Plain: true})
	s.bySQL = s.serve(&report.Reports{Facts: unread{s.facts}})
}

// unread is facts that are no facts.Reader, nor a facts.AnswerReader.
type unread struct{ facts.Source }

func (u unread) Acquire() (facts.Set, error) {
	set, err := u.Source.Acquire()
	if err != nil {
		return nil, err
	}
	return unreadSet{set}, nil
}

type unreadSet struct{ facts.Set }

func (s unreadSet) Again() facts.Set { return unreadSet{s.Set.Again()} }

func (s *system) serve(reports *report.Reports) *httptest.Server {
	return httptest.NewServer((&server.Server{
		Catalog: s.live.Current, Reports: reports,
		Log:     slog.New(slog.NewTextHandler(logWriter{s.t}, nil)),
		Timeout: time.Minute, Queries: 4, Patience: time.Minute, Cache: 1 << 20,
	}).Handler())
}

type logWriter struct{ t testing.TB }

func (w logWriter) Write(p []byte) (int, error) {
	w.t.Logf("server: %s", p)
	return len(p), nil
}

func (s *system) close() {
	s.server.Close()
	s.plain.Close()
	s.few.Close()
	s.bySQL.Close()
	s.live.Close()
	s.must(s.facts.Close())
	s.must(s.store.Close())
}

func (s *system) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// apply puts a workspace into the catalog, and waits until the server sees it.
func (s *system) apply(workspace []byte) error {
	w, err := catalog.ParseWorkspace("workspace", workspace)
	if err != nil {
		return err
	}
	if _, err := s.store.Apply(context.Background(), w); err != nil {
		return err
	}
	return s.settle()
}

// key makes a key for a team.
func (s *system) key(team string) (string, error) {
	_, key, err := s.store.CreateKey(context.Background(), team, "")
	if err != nil {
		return "", err
	}
	return key, s.settle()
}

// load publishes lines, and waits until the server has moved to them.
func (s *system) load(source ingest.Source, lines []byte) (*ingest.Summary, error) {
	return s.run(&ingest.Job{Source: source}, lines)
}

// loadLog publishes an access log.
func (s *system) loadLog(lines []byte, options ingest.LogOptions) (*ingest.Summary, error) {
	return s.run(&ingest.Job{Source: ingest.Logs, Log: options}, lines)
}

// run fills in what is the same for all jobs, and runs one on lines.
func (s *system) run(job *ingest.Job, lines []byte) (*ingest.Summary, error) {
	ctx := context.Background()
	snapshot, err := s.store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	secret, err := s.dir.Secret()
	if err != nil {
		return nil, err
	}
	loader, err := s.place.OpenLoader(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	if l, ok := loader.(*duckdb.Loader); ok && s.merging.Weeks > 0 {
		l.Merging = s.merging
	}
	job.Files, job.Stdin = []string{"-"}, bytes.NewReader(lines)
	job.Catalog, job.Agents, job.Secret, job.Loader = snapshot, agents.Default(), secret, loader
	job.Rejects, job.Spool = s.dir.Rejects(), s.dir.Facts()
	defer job.Close()
	if err := job.Open(ctx); err != nil {
		return nil, err
	}
	summary, err := job.Run(ctx)
	if err != nil {
		return summary, err
	}
	return summary, s.reach(summary.Published.Version)
}

// settle waits until the server has the newest catalog.
func (s *system) settle() error {
	version, err := s.store.Version(context.Background())
	if err != nil {
		return err
	}
	return wait(func() bool { return s.live.Current().Version() >= version })
}

// reach waits until the server answers from a version of the facts.
func (s *system) reach(version int64) error {
	return wait(func() bool {
		set, err := s.facts.Acquire()
		if err != nil {
			return false
		}
		defer set.Close()
		return set.Version() >= version
	})
}

func wait(until func() bool) error {
	for deadline := time.Now().Add(time.Minute); !until(); time.Sleep(poll) { // machines that run tests are busy
		if time.Now().After(deadline) {
			return context.DeadlineExceeded
		}
	}
	return nil
}

// Load implements random.System: the world goes in as a user would put it in.
func (s *system) Load(w *oracle.World) (keys map[string]string, err error) {
	defer func(started time.Time) { s.loading += time.Since(started) }(time.Now())
	s.close()
	s.must(os.RemoveAll(filepath.Clean(string(s.dir))))
	s.open()
	if err := s.apply(w.WorkspaceJSON()); err != nil {
		return nil, err
	}
	keys = make(map[string]string)
	for _, team := range w.Teams {
		if keys[team.ID], err = s.key(team.ID); err != nil {
			return nil, err
		}
	}
	for _, part := range w.AnswerLoads() {
		if err := s.loadPart(ingest.Answers, part); err != nil {
			return nil, err
		}
	}
	for _, part := range w.PageviewLoads() {
		if err := s.loadPart(ingest.Pageviews, part); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// loadPart loads lines all of which must be accepted.
func (s *system) loadPart(source ingest.Source, lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	summary, err := s.load(source, lines)
	if err == nil && summary.RejectedLines() > 0 {
		rejected, _ := os.ReadFile(summary.RejectFile)
		s.t.Fatalf("lines of the world were rejected:\n%s", rejected)
	}
	return err
}

// Do implements random.System. What was counted or packed beforehand, and visits
// that are counted one by one, must give the same bytes as the rows alone.
func (s *system) Do(method, pathAndQuery, key string) (int, http.Header, []byte, error) {
	status, header, body, err := s.send(s.server, method, pathAndQuery, key)
	if err != nil || status != http.StatusOK {
		return status, header, body, err
	}
	others := []*httptest.Server{s.plain}
	if strings.Contains(pathAndQuery, "/timeseries") {
		others = append(others, s.few, s.bySQL)
	}
	for _, other := range others {
		_, _, again, err := s.send(other, method, pathAndQuery, key)
		if err != nil || !bytes.Equal(again, body) {
			return 0, nil, nil, fmt.Errorf("%s\nanswer:  %s\nanother: %s %w", pathAndQuery, body, again, err)
		}
	}
	return status, header, body, err
}

func (s *system) send(server *httptest.Server, method, pathAndQuery, key string) (int, http.Header, []byte, error) {
	req, err := http.NewRequest(method, server.URL+pathAndQuery, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, body, err
}
