// Package sightline drives the program that is measured, as a user would: it
// applies a workspace, loads files, starts the server and asks it over HTTP.
package sightline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Program is the program on a data directory.
type Program struct {
	Path  string
	Data  string
	Facts string // the URL of the facts, if they are not in the directory
}

func (p Program) command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, p.Path, append(args, "--data", p.Data)...)
}

// Copy copies the facts of the data directory to where Facts says.
func (p Program) Copy(ctx context.Context) (Loaded, error) {
	if _, _, err := p.run(ctx, "migrate", "--facts", p.Facts); err != nil {
		return Loaded{}, err
	}
	_, took, err := p.run(ctx, "copy", "--to", p.Facts)
	return took, err
}

// Loaded is what a load took.
type Loaded struct {
	Seconds float64
	Rows    int64 // visits or answers
	Memory  int64 // at most, in bytes
}

// run runs a command to its end.
func (p Program) run(ctx context.Context, args ...string) (out string, took Loaded, err error) {
	cmd := p.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	started := time.Now()
	if err := cmd.Run(); err != nil {
		return "", took, fmt.Errorf("sightline %s: %w\n%s%s", strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	took.Seconds = time.Since(started).Seconds()
	took.Memory = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
	return stdout.String(), took, nil
}

// Run runs a command and returns what it prints.
func (p Program) Run(ctx context.Context, args ...string) (string, error) {
	out, _, err := p.run(ctx, args...)
	return out, err
}

// Apply applies a workspace.
func (p Program) Apply(ctx context.Context, workspace []byte) error {
	f, err := os.CreateTemp("", "workspace-*.yaml")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(workspace); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	_, _, err = p.run(ctx, "apply", f.Name())
	return err
}

var published = regexp.MustCompile(`(?m)^(?:visits|answers) +(\d+)`)

// Load loads the files of a pattern: logs or answers.
func (p Program) Load(ctx context.Context, kind, pattern string) (Loaded, error) {
	out, took, err := p.run(ctx, "load", kind, pattern)
	if err != nil {
		return took, err
	}
	found := published.FindStringSubmatch(out)
	if found == nil || strings.Contains(out, "rejected") {
		return took, fmt.Errorf("the load did not take everything:\n%s", out)
	}
	took.Rows, err = strconv.ParseInt(found[1], 10, 64)
	return took, err
}

// Key makes a key of a team.
func (p Program) Key(ctx context.Context, team string) (string, error) {
	out, _, err := p.run(ctx, "key", "create", "--team", team)
	return strings.TrimSpace(out), err
}

// Version is what the program says of itself.
func (p Program) Version(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, p.Path, "version").Output()
	first, _, _ := strings.Cut(string(out), "\n")
	return first, err
}

// Server is a running server.
type Server struct {
	*Client
	Started time.Time
	cmd     *exec.Cmd
	log     *os.File
}

// Serve starts a server; it may not answer yet. Its log is in the data directory.
func (p Program) Serve(ctx context.Context, key string, flags ...string) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{Client: NewClient(l.Addr().String(), key)}
	l.Close()
	file := "serve.log"
	if p.Facts != "" {
		file, flags = "serve-facts.log", append(flags, "--facts", p.Facts)
	}
	if s.log, err = os.Create(filepath.Join(p.Data, file)); err != nil {
		return nil, err
	}
	s.cmd = p.command(ctx, append([]string{"serve", "--listen", s.Address}, flags...)...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	s.Started = time.Now()
	return s, s.cmd.Start()
}

// Wait waits for the first answer to a request, and says how long after the
// start it came.
func (s *Server) Wait(ctx context.Context, request string) (time.Duration, error) {
	for {
		_, err := s.Ask(ctx, request)
		if err == nil {
			return time.Since(s.Started), nil
		}
		if time.Since(s.Started) > time.Minute {
			return 0, fmt.Errorf("the server does not answer: %w", err)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// settleAtMost is how long a server may be busy with itself after its start.
const settleAtMost = 5 * time.Minute

// Settle waits until the server does nothing: after its start it compares the
// files of the facts with their sums, and who asks meanwhile shares the cores.
func (s *Server) Settle(ctx context.Context) error {
	const look = time.Second
	before, err := s.ticks()
	for quiet := 0; quiet < 2 && err == nil; {
		if time.Since(s.Started) > settleAtMost {
			return errors.New("the server does not come to rest")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(look):
		}
		var now int64
		now, err = s.ticks()
		if quiet++; now-before > 2 { // hundredths of a second
			quiet = 0
		}
		before = now
	}
	return err
}

// ticks is how much time of the cores the server has used, in hundredths of a second.
func (s *Server) ticks() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name before it may have spaces
	var user, system int64
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("no times in %.100s", text)
	}
	user, err = strconv.ParseInt(fields[11], 10, 64)
	if err == nil {
		system, err = strconv.ParseInt(fields[12], 10, 64)
	}
	return user + system, err
}

// PID is the number of the server's process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Peak is the most memory that the server has had, in bytes.
func (s *Server) Peak() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("no VmHWM in %.100s", text)
}

// Stop ends the server.
func (s *Server) Stop() error {
	s.CloseIdle()
	defer s.log.Close()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return s.cmd.Wait()
}
