package engines

import (
	"bufio"
	"bytes"
	"context"
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
	"syscall"
	"time"

	"github.com/sightline-hq/sightline/bench/compare/data"
)

// postgres is a server of our own, asked through one psql that stays.
type postgres struct {
	server, client *exec.Cmd
	port           string
	programs       string
	in             io.WriteCloser
	out            *bufio.Reader
	closed         bool
}

// postgresSettings suit a machine with 24 GiB, of which other engines use a part.
var postgresSettings = []string{
	"shared_buffers=4GB", "effective_cache_size=14GB", "work_mem=512MB", "maintenance_work_mem=2GB", "random_page_cost=1.1",
	"max_parallel_workers_per_gather=2", "max_parallel_maintenance_workers=2", "jit=off", "max_wal_size=8GB", "wal_level=minimal",
	"max_wal_senders=0", "synchronous_commit=off", "fsync=off", "unix_socket_directories=", "listen_addresses=127.0.0.1",
}

func openPostgres(ctx context.Context, folder string) (Engine, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(found) == 0 {
		return nil, errors.New("PostgreSQL is not installed (apt-get install postgresql)")
	}
	p := &postgres{programs: slices.Max(found), port: freePort()}
	as, err := unprivileged(folder)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	cluster := filepath.Join(folder, "cluster")
	if _, err := os.Stat(cluster); err != nil {
		if err := p.initialise(ctx, folder, cluster, as); err != nil {
			return nil, err
		}
	}
	args := []string{"-D", cluster, "-p", p.port}
	for _, s := range postgresSettings {
		args = append(args, "-c", s)
	}
	p.server = exec.Command(filepath.Join(p.programs, "postgres"), args...)
	if err := background(p.server, filepath.Join(folder, "server.log"), as); err != nil {
		return nil, err
	}
	if err := p.connect(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// unprivileged is who runs PostgreSQL, which refuses root.
func unprivileged(folder string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	for dir := filepath.Dir(folder); dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o001 == 0 {
			return nil, fmt.Errorf("the user postgres cannot reach %s: choose another --dir, or chmod o+x %s", folder, dir)
		}
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

func (p *postgres) initialise(ctx context.Context, folder, cluster string, as *syscall.SysProcAttr) error {
	if as != nil {
		if err := os.Chown(folder, int(as.Credential.Uid), int(as.Credential.Gid)); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(p.programs, "initdb"), "-D", cluster, "-U", "bench", "-A", "trust", "--locale=C", "-E", "UTF8", "-N")
	cmd.SysProcAttr, cmd.Dir = as, "/"
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

func (p *postgres) psql(args ...string) *exec.Cmd {
	common := []string{"-X", "-q", "-h", "127.0.0.1", "-p", p.port, "-U", "bench", "-d", "postgres", "-v", "ON_ERROR_STOP=1"}
	return exec.Command(filepath.Join(p.programs, "psql"), append(common, args...)...)
}

// connect waits for the server and starts the psql that stays.
func (p *postgres) connect(ctx context.Context) (err error) {
	if err := patiently(ctx, func() error { return p.psql("-c", "select 1").Run() }); err != nil {
		return fmt.Errorf("PostgreSQL does not answer: %w", err)
	}
	p.client = p.psql("-A", "-t", "-F", "\t", "-P", `null=\N`, "-P", "footer=off")
	if p.in, err = p.client.StdinPipe(); err != nil {
		return err
	}
	out, err := p.client.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	p.client.Stderr = os.Stderr
	return p.client.Start()
}

func (p *postgres) Dialect() Dialect { return Postgres }

func (p *postgres) Version(ctx context.Context) (string, error) {
	rows, err := p.Ask(ctx, "show server_version")
	if err != nil {
		return "", err
	}
	return rows.Values[0][0], nil
}

func (p *postgres) Exec(ctx context.Context, text string) error {
	cmd := p.psql("-f", "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("psql: %w\n%s", err, out)
	}
	return nil
}

func (p *postgres) Insert(ctx context.Context, table data.Table, rows func(io.Writer) error) error {
	// In the transaction that empties the table, nothing goes to the write-ahead log.
	cmd := p.psql("-1", "-c", fmt.Sprintf("truncate %s", table), "-c", fmt.Sprintf("copy %s from stdin", table))
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(in, 1<<20)
	err = errors.Join(rows(w), w.Flush(), in.Close())
	if waitErr := cmd.Wait(); waitErr != nil {
		return fmt.Errorf("psql: %w\n%s", waitErr, said.String())
	}
	return err
}

const endMark = "--end--"

func (p *postgres) Ask(_ context.Context, query string) (Rows, error) {
	found := Rows{All: -1}
	if _, err := fmt.Fprintf(p.in, "%s;\n\\echo %s\n", query, endMark); err != nil {
		return found, err
	}
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			return found, fmt.Errorf("psql ended: %w", err)
		}
		if line = strings.TrimSuffix(line, "\n"); line == endMark {
			return found, nil
		}
		found.Values = append(found.Values, strings.Split(line, "\t"))
	}
}

func (p *postgres) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	if p.in != nil {
		p.in.Close()
		p.client.Wait()
	}
	return stop(p.server, syscall.SIGINT)
}

// background starts a server with its own log.
func background(cmd *exec.Cmd, log string, as *syscall.SysProcAttr) error {
	f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr, cmd.Dir = f, f, as, "/"
	return cmd.Start()
}

// stop ends a server that we started, and waits for it.
func stop(cmd *exec.Cmd, with os.Signal) error {
	if err := cmd.Process.Signal(with); err != nil {
		return err
	}
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	cmd.Wait() // how it ended does not matter: it was told to
	return nil
}

// patiently tries something for half a minute.
func patiently(ctx context.Context, try func() error) (err error) {
	for range 300 {
		if err = try(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return err
}

func freePort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "0"
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
