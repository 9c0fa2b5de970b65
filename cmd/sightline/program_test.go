package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/contract"
)

// program is a data directory with a server on it, as separate processes.
type program struct {
	t      *testing.T
	data   string
	env    []string // further variables
	base   string
	key    string
	client *http.Client
	server *exec.Cmd
	log    *output // of the server
}

const testWorkspace = `
teams: [{id: acme, name: Acme}]
products:
  - id: 101
    team: acme
    name: Acme Rocket
    website: https://www.acme.com
    domain: acme.com
    websites: [{websiteId: w-acme, domain: acme.com}]
    prompts: [{id: 11, text: best rocket, platforms: [openai]}]
`

// newProgram applies a small workspace in a data directory and makes a key.
func newProgram(t *testing.T, data string, env ...string) *program {
	t.Helper()
	return newProgramOn(t, data, testWorkspace, env...)
}

func newProgramOn(t *testing.T, data, text string, env ...string) *program {
	t.Helper()
	p := &program{t: t, data: data, env: env, client: contract.NewClient(t)}
	workspace := filepath.Join(t.TempDir(), "workspace.yaml")
	if err := os.WriteFile(workspace, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p.run("apply", workspace)
	p.key = strings.TrimSpace(p.run("key", "create", "--team", "acme"))
	return p
}

func (p *program) command(args ...string) *exec.Cmd {
	cmd := exec.Command("sightline", args...)
	cmd.Env = append(append(os.Environ(), "SIGHTLINE_DATA="+p.data), p.env...)
	return cmd
}

// run returns the standard output of a command that must succeed.
func (p *program) run(args ...string) string {
	p.t.Helper()
	var errOut bytes.Buffer
	cmd := p.command(args...)
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("sightline %s: %v\n%s%s", strings.Join(args, " "), err, out, errOut.String())
	}
	return string(out)
}

// fail returns the standard error of a command that must fail with exit code 1.
func (p *program) fail(args ...string) string {
	p.t.Helper()
	var errOut bytes.Buffer
	cmd := p.command(args...)
	cmd.Stderr = &errOut
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		p.t.Fatalf("sightline %s: %v, want exit code 1\n%s", strings.Join(args, " "), err, errOut.String())
	}
	return errOut.String()
}

func (p *program) serve() {
	p.t.Helper()
	p.serveTo(new(output))
}

// serveTo serves, and keeps the log.
func (p *program) serveTo(log *output) {
	p.t.Helper()
	port, err := freePort()
	if err != nil {
		p.t.Fatal(err)
	}
	p.base = fmt.Sprintf("http://127.0.0.1:%d", port)
	p.server = p.command("serve", "--listen", fmt.Sprintf("127.0.0.1:%d", port))
	p.server.Stderr, p.log = log, log
	if err := p.server.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(p.stop)
	for range 3000 { // a minute: machines that run tests are busy
		if res, err := http.Get(p.base + "/openapi.yaml"); err == nil {
			res.Body.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.t.Fatalf("the server did not start: %s", log.String())
}

func (p *program) stop() {
	if p.server == nil {
		return
	}
	p.server.Process.Signal(os.Interrupt)
	if err := p.server.Wait(); err != nil {
		p.t.Errorf("the server ended with %v", err)
	}
	p.server = nil
}

// visits asks how many bot and human visits there are, as the server's answer.
func (p *program) visits() (string, error) {
	return p.get("/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T23:59:59Z" +
		"&interval=week&metrics[]=bot_visits&perPage=100")
}

// runs asks how many answers there are.
func (p *program) runs() (string, error) {
	return p.get("/v1/products/101/prompts?domain=acme.com&dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T23:59:59Z")
}

func (p *program) get(path string) (string, error) {
	req, err := http.NewRequest("GET", p.base+path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	res, err := p.client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", res.StatusCode, body)
	}
	return string(body), err
}

// until asks until the answer is the wanted one.
func (p *program) until(ask func() (string, error), want string) {
	p.t.Helper()
	var got string
	var err error
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if got, err = ask(); err == nil && got == want {
			return
		}
	}
	log := p.log.String()
	p.t.Fatalf("got %s (%v), want %s\nthe server's log ends with\n%s", got, err, want, log[max(0, len(log)-4000):])
}

// output is what a process says, which can be read while it speaks.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// says waits until one of some texts has been said, in whatever case.
func (o *output) says(t *testing.T, any ...string) {
	t.Helper()
	for range 3000 { // a minute: machines that run tests are busy
		said := strings.ToLower(o.String())
		if slices.ContainsFunc(any, func(text string) bool { return strings.Contains(said, text) }) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("none of %q is in:\n%s", any, o.String())
}

// write makes a file of lines.
func write(t *testing.T, name string, lines int, line func(i int) string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	var text bytes.Buffer
	for i := range lines {
		text.WriteString(line(i))
		text.WriteByte('\n')
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
