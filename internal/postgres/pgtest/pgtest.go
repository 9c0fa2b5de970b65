// Package pgtest gives tests a real PostgreSQL: Debian's, with a data directory
// of its own, on a free port of the loopback. It ends with the test process,
// however that ends.
package pgtest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of administer

	"github.com/sightline-hq/sightline/internal/house"
)

// What the administrator of every server signs in with.
const (
	Admin    = "postgres"
	Password = "s3cret/p@ss:word" // what is awkward in a URL
)

// Shared is the server that the tests of a process share. It must not be stopped.
func Shared(t testing.TB) *Server {
	t.Helper()
	return need(t, shared)
}

var shared = sync.OnceValues(newServer)

// Own is a server that a test may stop and start as it likes.
func Own(t testing.TB) *Server {
	t.Helper()
	s := need(t, newServer)
	t.Cleanup(s.remove)
	return s
}

func need(t testing.TB, start func() (*Server, error)) *Server {
	t.Helper()
	if programs() == "" {
		house.Skip(t, "needs PostgreSQL (Debian package postgresql)")
	}
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// URL is the address of a database, for the administrator.
func (s *Server) URL(database string) string { return s.As(Admin, Password, database) }

// As is the address of a database for a role; without a password if it is "".
func (s *Server) As(role, password, database string) string {
	u := url.URL{Scheme: "postgres", Host: fmt.Sprintf("127.0.0.1:%d", s.Port), Path: "/" + database, User: url.UserPassword(role, password)}
	if password == "" {
		u.User = url.User(role)
	}
	return u.String()
}

// Database is the address of an empty database, for one test.
func (s *Server) Database(t testing.TB) (address string) {
	t.Helper()
	name := s.free()
	if name == "" {
		name = fmt.Sprintf("test%d", s.made.Add(1))
		s.Run(t, "postgres", "create database "+name)
	}
	t.Cleanup(func() {
		// Emptied and used again: making and dropping one takes far longer.
		if s.running.Load() {
			s.Run(t, name, "set lock_timeout = '10s'; drop schema public cascade; "+
				"create schema public authorization pg_database_owner; grant usage on schema public to public")
			s.giveBack(name)
		}
	})
	return s.URL(name)
}

func (s *Server) free() (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.empty); n > 0 {
		name, s.empty = s.empty[n-1], s.empty[:n-1]
	}
	return name
}

func (s *Server) giveBack(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.empty = append(s.empty, name)
}

// Run runs statements as the administrator, each in a transaction of its own.
func (s *Server) Run(t testing.TB, database string, statements ...string) {
	t.Helper()
	Run(t, s.URL(database), statements...)
}

// Run runs statements at an address.
func Run(t testing.TB, address string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			t.Fatalf("%s: %v", strings.TrimSpace(statement), err)
		}
	}
}
