package pgtest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// Server is a PostgreSQL of the tests.
type Server struct {
	Port    int
	dir     string
	guard   io.Closer
	running atomic.Bool

	made  atomic.Int64
	mu    sync.Mutex
	empty []string // databases
}

// programs is the folder of the newest server on this machine, or "".
func programs() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl")
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1])
}

// newServer makes a data directory and starts a server on it.
func newServer() (s *Server, err error) {
	s = &Server{}
	if s.Port, err = freePort(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "sightline-postgres-"); err != nil {
		return nil, err
	}
	if id := unprivileged(); id != nil {
		if err := os.Chown(s.dir, int(id.Uid), int(id.Gid)); err != nil {
			return nil, err
		}
	}
	if err := s.watch(); err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	return s, s.start()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// prepare makes the data directory, with a certificate, and says who may come in.
func (s *Server) prepare() error {
	password := filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(Password), 0o644); err != nil {
		return err
	}
	if err := run("initdb", "-D", s.data(), "-U", Admin, "--pwfile", password, "-A", "scram-sha-256",
		"-E", "UTF8", "--locale=C.UTF-8", "--no-sync"); err != nil {
		return err
	}
	settings := fmt.Sprintf("listen_addresses = '127.0.0.1'\nport = %d\nunix_socket_directories = '%s'\n"+
		"fsync = off\nfull_page_writes = off\nmax_connections = 60\nshared_buffers = 16MB\n"+
		"ssl = on\n", s.Port, s.dir)
	certificate, key, err := selfSigned()
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"sightline.conf": settings, "server.crt": certificate, "server.key": key,
		"pg_hba.conf": "local all all scram-sha-256\n" +
			"hostssl encrypted all 127.0.0.1/32 scram-sha-256\nhost encrypted all 127.0.0.1/32 reject\n" +
			"host forbidden all 127.0.0.1/32 reject\nhost all all 127.0.0.1/32 scram-sha-256\n",
	} {
		if err := s.write(name, text); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("include 'sightline.conf'\n")
	return errors.Join(err, f.Close())
}

// write puts a file into the data directory, for the server alone.
func (s *Server) write(name, text string) error {
	path := filepath.Join(s.data(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	if id := unprivileged(); id != nil {
		return os.Chown(path, int(id.Uid), int(id.Gid))
	}
	return nil
}

// Certificate is the file with the certificate of the server, which is its own
// authority and stands for 127.0.0.1.
func (s *Server) Certificate() string { return filepath.Join(s.data(), "server.crt") }

func (s *Server) start() error {
	s.running.Store(true)
	return run("pg_ctl", "-D", s.data(), "-l", filepath.Join(s.dir, "log"), "-w", "start")
}

// Start starts the server again.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// Stop ends the server properly: its connections are told.
func (s *Server) Stop(t testing.TB) { s.stop(t, "fast") }

// Kill ends the server at once, as a crash would.
func (s *Server) Kill(t testing.TB) { s.stop(t, "immediate") }

func (s *Server) stop(t testing.TB, mode string) {
	t.Helper()
	s.running.Store(false)
	if err := run("pg_ctl", "-D", s.data(), "-m", mode, "-w", "stop"); err != nil {
		t.Fatal(err)
	}
}

// Freeze lets the server hold on to its connections and answer nothing, as a
// broken network does, until the function it returns is called.
func (s *Server) Freeze(t testing.TB) (thaw func()) {
	t.Helper()
	send := func(signal syscall.Signal) {
		for _, pid := range s.processes(t) {
			if err := syscall.Kill(pid, signal); err != nil {
				t.Errorf("process %d: %v", pid, err)
			}
		}
	}
	send(syscall.SIGSTOP)
	thawed := false
	thaw = func() {
		if !thawed {
			thawed = true
			send(syscall.SIGCONT)
		}
	}
	t.Cleanup(thaw)
	return thaw
}

// processes are the server and those of its connections.
func (s *Server) processes(t testing.TB) (pids []int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, _, _ := strings.Cut(string(text), "\n")
	children, err := os.ReadFile(fmt.Sprintf("/proc/%s/task/%[1]s/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range append(strings.Fields(string(children)), pid) {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, n)
	}
	return pids
}

// watch starts a shell that outlives this process by a moment, to stop the
// server and remove its files: tests end in too many ways to do it themselves.
func (s *Server) watch() error {
	cmd := exec.Command("sh", "-c",
		`cat; pid=$(head -1 "$2/data/postmaster.pid") && kill -CONT "$pid"; "$1/pg_ctl" -D "$2/data" -m immediate stop; rm -rf "$2"`, "sh", programs(), s.dir)
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: unprivileged()}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.guard = guard{pipe, cmd}
	return nil
}

type guard struct {
	pipe io.Closer
	cmd  *exec.Cmd
}

func (g guard) Close() error { return errors.Join(g.pipe.Close(), g.cmd.Wait()) }

// remove ends the server with its files.
func (s *Server) remove() {
	s.running.Store(false)
	_ = s.guard.Close()
	_ = os.RemoveAll(s.dir) // the folder itself, whose parent is not the server's to write
}

// run runs a program of PostgreSQL, as a user whom it accepts.
func run(program string, args ...string) error {
	cmd := exec.Command(filepath.Join(programs(), program), args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: unprivileged()}
	cmd.Dir = os.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// unprivileged is somebody else if we are root, as whom it refuses to run.
func unprivileged() *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	if u, err := user.Lookup("postgres"); err == nil {
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Tool runs a client program of PostgreSQL, such as pg_dump, and returns what it
// prints.
func Tool(t testing.TB, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(filepath.Join(programs(), program), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", program, err, out)
	}
	return string(out)
}
