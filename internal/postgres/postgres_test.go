package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/postgres/pgtest"
)

func TestAddressesAreShownWithoutSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://ann:s3cret@db.example:6000/cat?sslmode=require":               "postgres://ann@db.example:6000/cat",
		"postgresql://ann:s3cret@db.example/cat?sslpassword=s3cret":               "postgres://ann@db.example:5432/cat",
		"postgres://db.example/cat?user=ann&password=s3cret&sslmode=disable":      "postgres://ann@db.example:5432/cat",
		"postgres:///cat?host=/run/postgresql&user=ann&password=s3cret":           "postgres://ann@/cat?host=/run/postgresql",
		"postgres://ann:s3cret@[::1]:5432/cat":                                    "postgres://ann@[::1]:5432/cat",
		"postgres://ann:s3cret@a,b/cat?target_session_attrs=read-write&port=6000": "postgres://ann@a:6000/cat",
	} {
		a, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := a.String(); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}

func TestMalformedAddressesAreRefusedWithoutSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://ann:s3cret/x@host/cat":                      "write special characters as %40",
		"postgres://ann:s3cret%zz@host/cat":                     "write special characters as %40",
		"mysql://ann:s3cret@host/cat":                           "not a URL such as postgres://",
		"postgres://ann:s3cret@host/cat?sslmode=maybe":          "sslmode is invalid",
		"postgres://ann:s3cret@host:s3cret/cat":                 "write special characters as %40",
		"postgres://ann:s3cret@host/cat?connect_timeout=s3cret": "malformed",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// use runs a statement, as a command that needs the database would.
func use(ctx context.Context, address string, statement string) error {
	a, err := Parse(address)
	if err != nil {
		return err
	}
	db := a.OpenWriter()
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return a.Explain("catalog", err)
}

func TestErrorsSayWhatToDo(t *testing.T) {
	s := pgtest.Shared(t)
	s.Run(t, "postgres", "create database encrypted", "create database forbidden", "create role guest login password 'guest'",
		"create database crowded connection limit 0")
	t.Cleanup(func() {
		s.Run(t, "postgres", "drop database encrypted", "drop database forbidden", "drop role guest", "drop database crowded")
	})
	with := func(address, settings string) string { return address + "?" + settings }
	free := func() string {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l.Addr().String()
	}
	trusted := "sslmode=verify-full&sslrootcert=" + url.QueryEscape(s.Certificate())
	for _, c := range []struct{ name, address, statement, want string }{
		{"nobody there", "postgres://postgres@" + free() + "/postgres", "select 1", "cannot connect: see whether PostgreSQL runs there, and whether host and port are right (connect: connection refused)"},
		{"no such host", "postgres://postgres@nowhere.invalid/postgres", "select 1", `there is no host "nowhere.invalid": see the URL`},
		{"wrong password", s.As("postgres", "s3cret", "postgres"), "select 1", `wrong password for role "postgres", or no such role: see PGPASSWORD and the URL`},
		{"no such role", s.As("nobody", "s3cret", "postgres"), "select 1", `wrong password for role "nobody", or no such role`},
		{"no password", s.As("postgres", "", "postgres"), "select 1", `role "postgres" needs a password: give it in PGPASSWORD, or in the URL`},
		{"no such database", s.URL("nowhere"), "select 1", `there is no database "nowhere": create it with: create database "nowhere"`},
		{"not let in", s.URL("forbidden"), "select 1", `the server does not let role "postgres" in from here: allow it in pg_hba.conf`},
		{"TLS is required", with(s.URL("encrypted"), "sslmode=disable"), "select 1", "takes only encrypted connections: add sslmode=require"},
		{"TLS is used", with(s.URL("encrypted"), "sslmode=require"), "select 1", ""},
		{"TLS is preferred", s.URL("encrypted"), "select 1", ""},
		{"unknown authority", with(s.URL("encrypted"), "sslmode=verify-full"), "select 1", "cannot be trusted: name the file of its authority with sslrootcert"},
		{"known authority", with(s.URL("encrypted"), trusted), "select 1", ""},
		{"another name", strings.Replace(with(s.URL("encrypted"), trusted), "127.0.0.1", "localhost", 1), "select 1", "cannot be trusted"},
		{"no right to create", s.As("guest", "guest", "postgres"), "create table t (a int)", `role "guest" may not do that: use the owner of the tables, or grant it the right (docs/scaling.md has the statements) (permission denied for schema public`},
		{"too slow", with(s.URL("postgres"), "statement_timeout=50"), "select pg_sleep(5)", "longer than statement_timeout allows"},
		{"another error", s.URL("postgres"), "select 1/0", "catalog postgres://postgres@127.0.0.1:*/postgres: division by zero, SQLSTATE 22012"},
		{"ended by the administrator", s.URL("postgres"), "select pg_terminate_backend(pg_backend_pid())", "has ended the connection: try again in a moment"},
		{"no connection left", s.As("guest", "guest", "crowded"), "select 1", "it has no connection left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := use(t.Context(), c.address, c.statement)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			pattern := strings.ReplaceAll(regexp.QuoteMeta(c.want), `\*`, `.*`)
			if err == nil || !regexp.MustCompile(pattern).MatchString(err.Error()) {
				t.Fatalf("got  %v\nwant %s", err, c.want)
			}
			for _, secret := range []string{"s3cret", pgtest.Password, url.QueryEscape(pgtest.Password)} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the password is in %v", err)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", err)
			}
		})
	}
}

func TestAServerThatDoesNotAnswer(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // it takes connections and says nothing
	started := time.Now()
	err = use(t.Context(), "postgres://ann:s3cret@"+l.Addr().String()+"/cat?connect_timeout=1", "select 1")
	if err == nil || !strings.Contains(err.Error(), "it does not answer in time") || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("got %v", err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestThePasswordMayComeFromTheEnvironment(t *testing.T) {
	s := pgtest.Shared(t)
	t.Setenv("PGPASSWORD", pgtest.Password)
	if err := use(t.Context(), s.As(pgtest.Admin, "", "postgres"), "select 1"); err != nil {
		t.Error(err)
	}
}

func TestReadersCannotWrite(t *testing.T) {
	a, err := Parse(pgtest.Shared(t).Database(t))
	if err != nil {
		t.Fatal(err)
	}
	db := a.OpenReader()
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "create table t (a int)")
	if err := a.Explain("catalog", err); err == nil || !strings.Contains(err.Error(), "it cannot be written") {
		t.Errorf("got %v", err)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	address := pgtest.Shared(t).Database(t)
	for settings, want := range map[string]string{"": "1min 30s 1min", "?statement_timeout=5s&lock_timeout=7s": "5s 7s 1min"} {
		a, err := Parse(address + settings)
		if err != nil {
			t.Fatal(err)
		}
		db := a.OpenWriter()
		if got := ask(t, db, `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' ||
			current_setting('idle_in_transaction_session_timeout')`); got != want {
			t.Errorf("%q: got %s, want %s", settings, got, want)
		}
		if got := ask(t, db, `select current_setting('application_name')`); got != "sightline" {
			t.Errorf("it calls itself %s", got)
		}
		if n := db.Stats().MaxOpenConnections; n != 2 {
			t.Errorf("up to %d connections", n)
		}
		db.Close()
	}
}

func ask(t *testing.T, db *sql.DB, query string) (answer string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestOtherErrorsStayAsTheyAre(t *testing.T) {
	a, err := Parse("postgres://ann@host/cat")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{nil, context.Canceled, errors.New("something else"), fmt.Errorf("wrapped: %w", context.Canceled)} {
		if got := a.Explain("catalog", err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}
