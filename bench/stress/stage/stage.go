// Package stage sets up what is put under stress: the real program on a data
// directory with several teams' data, and its server as a process of its own.
package stage

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sightline-hq/sightline/bench/compare/sightline"
	"github.com/sightline-hq/sightline/bench/stress/gauge"
	"github.com/sightline-hq/sightline/bench/stress/world"
)

// Stage is a data directory and the server on it.
type Stage struct {
	Program sightline.Program
	World   *world.World
	Keys    map[*world.Team]string
	Server  *sightline.Server
	Admin   string // the address of its metrics; empty: it has none

	dir   string
	input int
}

// New applies the world of a seed in a new directory and makes a key for each
// team.
func New(ctx context.Context, program string, seed uint64) (s *Stage, err error) {
	program, err = filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sightline-stress-")
	if err != nil {
		return nil, err
	}
	s = &Stage{dir: dir, World: world.New(seed), Keys: make(map[*world.Team]string)}
	s.Program = sightline.Program{Path: program, Data: filepath.Join(dir, "data")}
	if err := s.Program.Apply(ctx, s.World.Workspace(0)); err != nil {
		return s, err
	}
	for _, t := range s.World.Teams {
		if s.Keys[t], err = s.Program.Key(ctx, t.ID); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Load writes events and loads them.
func (s *Stage) Load(ctx context.Context, kind string, write func(io.Writer) error) error {
	s.input++
	path := filepath.Join(s.dir, fmt.Sprintf("%s-%d.ndjson", kind, s.input))
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	if err := write(f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	_, err = s.Program.Load(ctx, kind, path)
	return err
}

// Serve starts the server and waits until it answers.
func (s *Stage) Serve(ctx context.Context, flags ...string) (err error) {
	if help, _ := exec.CommandContext(ctx, s.Program.Path, "serve", "--help").CombinedOutput(); strings.Contains(string(help), "--admin ") {
		if s.Admin, err = freeAddress(); err != nil {
			return err
		}
		flags = append(flags, "--admin", s.Admin)
	}
	s.Server, err = s.Program.Serve(ctx, s.Keys[s.World.Teams[0]], flags...)
	if err != nil {
		return err
	}
	_, err = s.Server.Wait(ctx, "/v1/products")
	return err
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// Read reads what the server holds.
func (s *Stage) Read() (gauge.Reading, error) { return gauge.Read(s.Server.PID(), s.Admin) }

// Log is what the server has said.
func (s *Stage) Log() (string, error) {
	text, err := os.ReadFile(filepath.Join(s.Program.Data, "serve.log"))
	return string(text), err
}

// Close stops the server and removes everything.
func (s *Stage) Close() (err error) {
	if s == nil {
		return nil
	}
	if s.Server != nil {
		err = s.Server.Stop()
	}
	os.RemoveAll(s.dir)
	return err
}
