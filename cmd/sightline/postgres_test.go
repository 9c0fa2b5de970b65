package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sightline-hq/sightline/internal/postgres/pgtest"
)

// The scripts in testdata/postgres have an empty database at $URL, whose
// password is in the environment.
func TestPostgresScripts(t *testing.T) {
	s := pgtest.Shared(t)
	params := scripts(t, "postgres")
	setup := params.Setup
	params.Setup = func(e *testscript.Env) error {
		database := s.Database(e.T().(testing.TB))
		name := database[strings.LastIndex(database, "/")+1:]
		e.Setenv("URL", s.As(pgtest.Admin, "", name))
		e.Setenv("SERVER", strings.TrimSuffix(s.As(pgtest.Admin, "", ""), "/"))
		e.Setenv("PASSWORD", pgtest.Password)
		e.Setenv("PGPASSWORD", pgtest.Password)
		return setup(e)
	}
	params.Cmds["sql"] = func(ts *testscript.TestScript, _ bool, args []string) {
		u, err := url.Parse(ts.Getenv("URL"))
		ts.Check(err)
		s.Run(t, strings.TrimPrefix(u.Path, "/"), args...)
	}
	testscript.Run(t, params)
}

// shares is a program on a host of its own, with the catalog of another one.
func (p *program) shares(t *testing.T) *program {
	return &program{t: t, data: t.TempDir(), env: p.env, key: p.key, client: p.client}
}

func (p *program) products() (string, error) { return p.get("/v1/products") }

// refused tells whether the server refuses the key.
func (p *program) refused() bool {
	_, err := p.products()
	return err != nil && strings.Contains(err.Error(), "status 401")
}

func TestHostsShareACatalogInPostgreSQL(t *testing.T) {
	t.Parallel()
	one := newProgram(t, t.TempDir(), "SIGHTLINE_CATALOG="+pgtest.Shared(t).Database(t))
	two := one.shares(t)
	one.serve()
	two.serve()
	hosts := []*program{one, two}
	soon := func(what string, so func(*program) bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Second); ; time.Sleep(10 * time.Millisecond) {
			if so(one) && so(two) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("not on both hosts within a second: %s", what)
			}
		}
	}
	works := func(p *program) bool { _, err := p.products(); return err == nil }
	soon("the first key works", works)
	for i, p := range hosts {
		key := strings.TrimSpace(p.run("key", "create", "--team", "acme", "--name", "shared"))
		one.key, two.key = key, key
		soon("a new key works", works)
		var id string
		for line := range strings.Lines(p.run("key", "list")) {
			if strings.Contains(line, key[len(key)-4:]) {
				id = strings.Fields(line)[0]
			}
		}
		hosts[1-i].run("key", "revoke", id) // through the other host
		soon("the revoked key is refused", (*program).refused)
	}
}

// While PostgreSQL is away a server answers every request, says so once in its
// log, and in its readiness for as long as it lasts.
func TestAServerOutlivesItsDatabase(t *testing.T) {
	t.Parallel()
	s := pgtest.Own(t)
	p, admin := administered(t, "SIGHTLINE_CATALOG="+s.Database(t))
	p.data = t.TempDir() // there are no facts
	var log output
	p.serveTo(&log)
	p.answersUntil(admin, isReady)
	version := scrape(t, admin).value(t, "sightline_catalog_version")
	old := fmt.Sprintf("ready\ncatalog: cannot be read; going on with version %v,", version)
	for _, end := range []func(testing.TB){s.Stop, s.Kill} {
		end(t)
		p.answersUntil(admin, func(readiness string) bool { return strings.HasPrefix(readiness, old) })
		if well := scrape(t, admin).value(t, "sightline_check_ok", "check", "catalog"); well != 0 {
			t.Errorf("the check of the catalog is %v", well)
		}
		if message := p.fail("key", "list"); !strings.Contains(message, "cannot connect: see whether PostgreSQL runs there") {
			t.Errorf("key list says %s", message)
		}
		if message := p.fail("serve", "--listen", "127.0.0.1:0"); !strings.Contains(message, "cannot connect: see whether PostgreSQL runs there") {
			t.Errorf("another server says %s", message)
		}
		s.Start(t)
		p.answersUntil(admin, isReady)
	}
	p.run("key", "revoke", strings.Fields(strings.Split(p.run("key", "list"), "\n")[1])[0])
	for deadline := time.Now().Add(time.Second); !p.refused(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the server does not follow the database that came back")
		}
	}
	p.stop()
	for text, times := range map[string]int{"cannot follow the catalog; going on with what is known": 2, "following the catalog again": 2} {
		if n := strings.Count(log.String(), text); n != times {
			t.Errorf("%q is %d times in the log, want once for each time that it was down:\n%s", text, n, log.String())
		}
	}
	hasNoPassword(t, log.String())
}

func isReady(readiness string) bool { return readiness == "ready\n" }

func hasNoPassword(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, pgtest.Password) || strings.Contains(text, url.QueryEscape(pgtest.Password)) {
		t.Errorf("the password is in:\n%s", text)
	}
}

// answersUntil asks for products until the readiness is as expected, and a moment
// longer: every answer must be the right one, and the server ready throughout.
func (p *program) answersUntil(admin string, expected func(readiness string) bool) {
	p.t.Helper()
	const moment = 300 * time.Millisecond
	var since time.Time
	for deadline := time.Now().Add(20 * time.Second); since.IsZero() || time.Since(since) < moment; time.Sleep(20 * time.Millisecond) {
		if got, err := p.products(); err != nil || !strings.Contains(got, "Acme Rocket") {
			p.t.Fatalf("the products are %s, %v", got, err)
		}
		status, readiness := adminPage(p.t, admin+"/readyz")
		hasNoPassword(p.t, readiness)
		switch {
		case status != http.StatusOK || time.Now().After(deadline):
			p.t.Fatalf("the readiness is %d %s", status, readiness)
		case !expected(readiness):
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		}
	}
}
