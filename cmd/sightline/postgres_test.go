package main

import (
	"bytes"
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

// While PostgreSQL is away a server answers every request, and says so once.
func TestAServerOutlivesItsDatabase(t *testing.T) {
	t.Parallel()
	s := pgtest.Own(t)
	p := newProgram(t, t.TempDir(), "SIGHTLINE_CATALOG="+s.Database(t))
	var log bytes.Buffer
	p.serveTo(&log)
	want, err := p.products()
	if err != nil {
		t.Fatal(err)
	}
	answers := func(while time.Duration) {
		t.Helper()
		for end := time.Now().Add(while); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if got, err := p.products(); err != nil || got != want {
				t.Fatalf("%s %v, want %s", got, err, want)
			}
		}
	}
	for _, end := range []func(testing.TB){s.Stop, s.Kill} {
		end(t)
		answers(time.Second)
		if message := p.fail("key", "list"); !strings.Contains(message, "cannot connect: see whether PostgreSQL runs there") {
			t.Errorf("key list says %s", message)
		}
		if message := p.fail("serve", "--listen", "127.0.0.1:0"); !strings.Contains(message, "cannot connect: see whether PostgreSQL runs there") {
			t.Errorf("another server says %s", message)
		}
		s.Start(t)
		answers(time.Second)
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
	if strings.Contains(log.String(), pgtest.Password) || strings.Contains(log.String(), url.QueryEscape(pgtest.Password)) {
		t.Errorf("the password is in the log:\n%s", log.String())
	}
}
