package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/leaktest"
)

// TestMain lets the test binary be the program: as "sightline" in scripts.
func TestMain(m *testing.M) {
	testscript.Main(leakless{m}, map[string]func(){"sightline": main})
}

// leakless are tests that may leave no goroutine behind.
type leakless struct{ *testing.M }

func (m leakless) Run() int { return leaktest.Code(m.M.Run()) }

// The scripts in testdata/script show what a user types and sees.
func TestScripts(t *testing.T) {
	before := contract.Requests()
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, scripts(t, "script"))
	})
	if flag.Lookup("test.run").Value.String() == "" && contract.Requests() == before {
		t.Error("no answer of a script was checked against the OpenAPI document")
	}
}

// scripts are those of a folder, with the commands that they all have.
func scripts(t *testing.T, folder string) testscript.Params {
	client := contract.NewClient(t)
	return testscript.Params{
		Dir: filepath.Join("testdata", folder),
		Setup: func(e *testscript.Env) error {
			port, err := freePort()
			e.Setenv("ADDR", "127.0.0.1:"+strconv.Itoa(port))
			e.Setenv("BASE", "http://127.0.0.1:"+strconv.Itoa(port))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": exitCode,
			"up":   up,
			"get":  func(ts *testscript.TestScript, neg bool, args []string) { get(ts, client, args) },
			"fill": fill,
			"keep": keep,
		},
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// exitCode runs a program that must end with an exit code: code 2 sightline …
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(args[1], args[2:]...)
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	cmd.Path, cmd.Dir = path, ts.MkAbs(".")
	cmd.Env = os.Environ()
	for _, name := range []string{"SIGHTLINE_DATA", "SIGHTLINE_CATALOG", "PGPASSWORD"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	fmt.Fprint(ts.Stdout(), out.String())
	fmt.Fprint(ts.Stderr(), errOut.String())
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// up waits until a server answers at $BASE.
func up(ts *testscript.TestScript, _ bool, _ []string) {
	for range 2400 { // two minutes: machines that run tests are busy
		res, err := http.Get(ts.Getenv("BASE") + "/openapi.yaml")
		if err == nil {
			res.Body.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("no server at %s", ts.Getenv("BASE"))
}

// get asks the server for a path with a key (a file's name, or "none"), and
// waits up to a second for the status that is wanted: get 200 /v1/products KEY
func get(ts *testscript.TestScript, client *http.Client, args []string) {
	key := ""
	if args[2] != "none" {
		key = strings.TrimSpace(ts.ReadFile(args[2]))
	}
	var status int
	var body []byte
	for deadline := time.Now().Add(time.Second); ; time.Sleep(20 * time.Millisecond) {
		req, err := http.NewRequest("GET", ts.Getenv("BASE")+args[1], nil)
		ts.Check(err)
		req.Header.Set("Authorization", "Bearer "+key)
		res, err := client.Do(req)
		ts.Check(err)
		body, err = io.ReadAll(res.Body)
		res.Body.Close()
		ts.Check(err)
		if status = res.StatusCode; strconv.Itoa(status) == args[0] || time.Now().After(deadline) {
			fmt.Fprintf(ts.Stderr(), "%s\n", res.Header.Get("Sightline-Error-Detail"))
			break
		}
	}
	fmt.Fprintf(ts.Stdout(), "%s", body)
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("status %d, want %s: %s", status, args[0], body)
	}
}

// fill writes a file that is awkward to write in a script: fill NAME KIND
func fill(ts *testscript.TestScript, _ bool, args []string) {
	var text []byte
	const answer = `{"id":"%d","promptId":11,"platform":"openai","at":"2026-03-02T09:00:00Z","mentions":[],"citations":["%s"]}` + "\n"
	switch args[1] {
	case "gzip":
		text = []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00")
	case "utf16":
		text = []byte("\xff\xfe{\x00}\x00")
	case "long-url":
		for i := range 20 {
			url := "https://a.example/"
			if i == 19 {
				url += strings.Repeat("a", 100_000)
			}
			text = fmt.Appendf(text, answer, i, url)
		}
	case "invalid-utf8":
		for i := range 20 {
			url := "https://a.example/"
			if i == 19 {
				url += "\xff"
			}
			text = fmt.Appendf(text, answer, i, url)
		}
	case "many":
		for i := range 20_000 {
			text = fmt.Appendf(text, answer, i, "https://a.example/")
		}
	default:
		ts.Fatalf("unknown kind %s", args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o600))
}

// keep stores the last standard output, without its newline, as a file: keep NAME
func keep(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.TrimSpace(ts.ReadFile("stdout"))), 0o600))
}

func TestServeEndsWithoutAnErrorWhenItIsToldTo(t *testing.T) {
	dir := t.TempDir()
	workspace := filepath.Join(dir, "workspace.yaml")
	os.WriteFile(workspace, []byte("teams: [{id: acme, name: Acme}]\n"), 0o600)
	data := filepath.Join(dir, "data")
	var out, errOut bytes.Buffer
	if code := run(t.Context(), []string{"apply", workspace, "--data", data}, os.Getenv, nil, &out, &errOut); code != 0 {
		t.Fatal(errOut.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	var said output
	go func() {
		said.says(t, "sightline answers on")
		cancel()
	}()
	if code := run(ctx, []string{"serve", "--data", data, "--listen", "127.0.0.1:0"}, os.Getenv, nil, &out, &said); code != 0 {
		t.Errorf("exit code %d: %s", code, said.String())
	}
}

// A load that waits for input can be stopped, and holds up no other.
func TestALoadThatWaitsForInputCanBeStopped(t *testing.T) {
	p := newProgram(t, t.TempDir())
	waiting := p.command("load", "pageviews", "-")
	pipe, err := waiting.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	p.run("load", "pageviews", write(t, "other.ndjson", 3, diskVisit))
	waiting.Process.Signal(os.Interrupt)
	ended := make(chan error, 1)
	go func() { ended <- waiting.Wait() }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		waiting.Process.Kill()
		t.Error("the load did not stop")
	}
	if code := waiting.ProcessState.ExitCode(); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
}
