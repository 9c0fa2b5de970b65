package catalog

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/postgres/pgtest"
)

const oneTeam = "teams: [{id: a, name: A}]"

// follow follows a catalog as a server does, and collects what it reports.
func follow(t *testing.T, place string) (live *Live, reports func() []error) {
	t.Helper()
	var mu sync.Mutex
	var reported []error
	live, err := Follow(t.Context(), openRead(t, place), PollInterval, OnError(func(err error) {
		mu.Lock()
		defer mu.Unlock()
		reported = append(reported, err)
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(live.Close)
	return live, func() []error {
		mu.Lock()
		defer mu.Unlock()
		return reported
	}
}

// eventually waits for what has no promise of a second.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 20 seconds: %s", what)
		}
	}
}

func TestFollowingOutlivesTheDatabase(t *testing.T) {
	s := pgtest.Own(t)
	for _, c := range []struct {
		name       string
		down       func() (up func())
		wantReason string
	}{
		{"stopped", func() func() { s.Stop(t); return func() { s.Start(t) } }, ""},
		{"killed", func() func() { s.Kill(t); return func() { s.Start(t) } }, ""},
		{"frozen", func() func() { return s.Freeze(t) }, "does not answer in time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := s.Database(t)
			writer := open(t, place)
			applyText(t, writer, oneTeam)
			info, key := createKey(t, writer, "a", "")
			live, reports := follow(t, place)

			up := c.down()
			eventually(t, "the failure is noticed", func() bool { return live.Err() != nil })
			time.Sleep(3 * PollInterval) // the reason changes from "ended" to "refused"
			if err := live.Err(); !strings.Contains(err.Error(), c.wantReason) || strings.Contains(err.Error(), pgtest.Password) {
				t.Errorf("the reason is %v", err)
			}
			if _, ok := live.Current().Authenticate(key); !ok {
				t.Error("the last catalog that was seen is gone")
			}
			if got := reports(); len(got) != 1 || got[0] == nil {
				t.Errorf("reported %v, want one failure", got)
			}
			up()
			eventually(t, "it follows again", func() bool { return live.Err() == nil })
			if got := reports(); len(got) != 2 || got[1] != nil {
				t.Errorf("reported %v, want a failure and its end", got)
			}
			eventually(t, "the writer works again", func() bool { return writer.RevokeKey(t.Context(), info.ID) == nil })
			within(t, "the revoked key fails", func() bool { _, ok := live.Current().Authenticate(key); return !ok })
		})
	}
}

func TestACutConnectionDelaysNothing(t *testing.T) {
	place := pgtest.Shared(t).Database(t)
	writer := open(t, place)
	applyText(t, writer, oneTeam)
	info, key := createKey(t, writer, "a", "")
	live, reports := follow(t, place)
	edit(t, place, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sightline' and datname = current_database()`)
	if err := open(t, place).RevokeKey(t.Context(), info.ID); err != nil {
		t.Fatal(err)
	}
	within(t, "the revoked key fails", func() bool { _, ok := live.Current().Authenticate(key); return !ok })
	if got := reports(); len(got) > 0 {
		t.Errorf("reported %v", got)
	}
}

// The statements in docs/scaling.md are enough for an owner and for a reader.
func TestTheGrantsInTheDocumentAreEnough(t *testing.T) {
	s := pgtest.Shared(t)
	text, err := os.ReadFile("../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 2 { // others, of other databases, may follow
		t.Fatalf("%d blocks of SQL", len(blocks))
	}
	t.Cleanup(func() {
		s.Run(t, "postgres", "drop database if exists sightline with (force)", "drop role sightline", "drop role sightline_serve")
	})
	for i, database := range []string{"postgres", "sightline"} {
		s.Run(t, database, strings.SplitAfter(strings.TrimSpace(blocks[i][1]), ";\n")...)
	}
	owner, reader := s.As("sightline", "choose one", "sightline"), s.As("sightline_serve", "choose another", "sightline")

	_, err = OpenReader(t.Context(), reader)
	expectError(t, err, "catalog * is empty: run sightline apply first")
	w := open(t, owner)
	applyText(t, w, readTestdata(t, "workspace.yaml"))
	_, key := createKey(t, w, "acme", "")
	live, _ := follow(t, reader)
	if _, ok := live.Current().Authenticate(key); !ok || live.Current().Counts().Prompts != 4 {
		t.Errorf("the reader sees %+v", live.Current().Counts())
	}
	if _, err := openRead(t, reader).Keys(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = Open(t.Context(), reader)
	expectError(t, err, `catalog *: role "sightline_serve" may not do that: use the owner of the tables, or grant it the right *`)
	openRead(t, s.URL("sightline")) // the administrator can read

	dump := filepath.Join(t.TempDir(), "catalog.dump")
	pgtest.Tool(t, "pg_dump", "--format=custom", "--file="+dump, owner)
	applyText(t, w, "teams: []")
	within(t, "the change is seen", func() bool { return live.Current().Counts().Teams == 0 })
	pgtest.Tool(t, "pg_restore", "--clean", "--if-exists", "--single-transaction", "--dbname="+owner, dump)
	within(t, "the backup is seen, with its grants", func() bool { return live.Current().Counts().Prompts == 4 && live.Err() == nil })
}

func TestARoleWithoutRightsIsToldWhatToDo(t *testing.T) {
	s := pgtest.Shared(t)
	place := s.Database(t)
	database := place[strings.LastIndex(place, "/")+1:]
	s.Run(t, "postgres", "create role stranger login password 'stranger'")
	t.Cleanup(func() { s.Run(t, database, "drop owned by stranger"); s.Run(t, "postgres", "drop role stranger") })
	stranger := s.As("stranger", "stranger", database)
	const may = `catalog *: role "stranger" may not do that: * (permission denied for `
	_, err := Open(t.Context(), stranger)
	expectError(t, err, may+"schema public, SQLSTATE 42501)")
	open(t, place)
	_, err = OpenReader(t.Context(), stranger)
	expectError(t, err, may+"table meta, SQLSTATE 42501)")
	edit(t, place, "revoke usage on schema public from public")
	_, err = OpenReader(t.Context(), stranger)
	expectError(t, err, "catalog *: the role may use none of the schemas in its search_path: grant it usage, *")
}

func TestTheCatalogMayHaveASchemaOfItsOwn(t *testing.T) {
	place := pgtest.Shared(t).Database(t)
	edit(t, place, "create table songs (id int)", "create schema reports")
	t.Cleanup(func() { edit(t, place, "drop schema reports cascade") })
	s := open(t, place+"?search_path=reports")
	applyText(t, s, oneTeam)
	if got := snapshot(t, openRead(t, place+"?search_path=reports")).Counts().Teams; got != 1 {
		t.Errorf("read %d teams", got)
	}
}

func TestOtherEncodingsAreRefused(t *testing.T) {
	s := pgtest.Shared(t)
	s.Run(t, "postgres", "create database latin encoding 'LATIN1' locale 'C' template template0")
	t.Cleanup(func() { s.Run(t, "postgres", "drop database latin with (force)") })
	_, err := Open(t.Context(), s.URL("latin"))
	expectError(t, err, "catalog *: the database has the encoding LATIN1: create one with encoding 'UTF8' template template0")
}

func TestAWriterDoesNotWaitForEver(t *testing.T) {
	place := pgtest.Shared(t).Database(t)
	first := open(t, place)
	second := open(t, place+"?lock_timeout=200ms")
	err := first.write(t.Context(), func(*sql.Tx) (bool, error) {
		_, err := second.Apply(t.Context(), parse(t, oneTeam))
		return false, err
	})
	expectError(t, err, "catalog *: another command is writing to it: try again when that has ended (*")
	applyText(t, second, oneTeam)
}

func TestOtherURLsAreRefusedWithoutTheirPasswords(t *testing.T) {
	for place, want := range map[string]string{
		"mysql://ann:s3cret@host/cat":       "a catalog is a file, or in PostgreSQL at postgres://user@host:5432/database: there is no other kind of URL",
		"postgres://ann:s3cret%zz@host/cat": "not a URL such as postgres://user@host:5432/database (*",
	} {
		for _, open := range []func() error{
			func() error { _, err := Open(t.Context(), place); return err },
			func() error { _, err := OpenReader(t.Context(), place); return err },
		} {
			err := open()
			expectError(t, err, want)
			if strings.Contains(fmt.Sprint(err), "s3cret") {
				t.Errorf("the password is in %v", err)
			}
		}
	}
	place := pgtest.Shared(t).Database(t)
	if shown := open(t, place).Place(); strings.Contains(shown, pgtest.Password) || strings.Contains(shown, url.QueryEscape(pgtest.Password)) {
		t.Errorf("the place is shown as %s", shown)
	}
}
