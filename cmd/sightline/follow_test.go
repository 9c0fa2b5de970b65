package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func logLine(i int) string {
	return fmt.Sprintf(`203.0.113.10 - - [02/Mar/2026:09:%02d:%02d +0000] "GET /%d HTTP/1.1" 200 512 "-" "curl/8.5.0"`+"\n", i/60%60, i%60, i)
}

// following is a load that follows what a test writes.
type following struct {
	t    *testing.T
	cmd  *exec.Cmd
	pipe io.WriteCloser
	out  output
}

func (p *program) follow(args ...string) *following {
	p.t.Helper()
	f := &following{t: p.t, cmd: p.command(append([]string{"load", "logs", "-"}, args...)...)}
	f.cmd.Stdout, f.cmd.Stderr = &f.out, &f.out
	var err error
	if f.pipe, err = f.cmd.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { f.cmd.Process.Kill() })
	return f
}

func (f *following) write(text string) {
	f.t.Helper()
	if _, err := io.WriteString(f.pipe, text); err != nil {
		f.t.Fatal(err)
	}
}

func (f *following) lines(from, to int) {
	f.t.Helper()
	for i := from; i < to; i++ {
		f.write(logLine(i))
	}
}

// ends waits for the load, which must end with an exit code.
func (f *following) ends(code int) string {
	f.t.Helper()
	f.cmd.Wait()
	if got := f.cmd.ProcessState.ExitCode(); got != code {
		f.t.Errorf("exit code %d, want %d:\n%s", got, code, f.out.String())
	}
	return f.out.String()
}

func TestAPipeIsPublishedAtItsPaceAndWhenItIsStopped(t *testing.T) {
	t.Parallel()
	p := newProgram(t, t.TempDir())
	p.serve()
	f := p.follow("--every", "1s")
	f.lines(0, 10)
	f.write(logLine(10)[:30]) // a line that is being written
	p.wait("10")
	f.write(logLine(10)[30:])
	f.lines(11, 20)
	p.wait("20")
	p.run("load", "pageviews", write(t, "other.ndjson", 5, diskVisit)) // others may load meanwhile
	p.wait("25")
	f.lines(20, 30)
	f.write("203.0.113.10 - - [02/Ma")
	time.Sleep(100 * time.Millisecond) // for the pipe to be read
	f.cmd.Process.Signal(syscall.SIGTERM)
	said := f.ends(exitDone)
	p.wait("35")
	if !strings.Contains(said, "30 lines read, 0 rejected.") {
		t.Errorf("it said:\n%s", said)
	}
	kept, err := filepath.Glob(filepath.Join(p.data, "rejects", "unpublished-*.log"))
	if err != nil || len(kept) != 1 || !strings.Contains(said, kept[0]) {
		t.Fatalf("the line that was being written is not kept: %v\n%s", kept, said)
	}
	if text, err := os.ReadFile(kept[0]); string(text) != "203.0.113.10 - - [02/Ma" {
		t.Errorf("kept %q, %v", text, err)
	}
}

func TestAPipeThatEndsIsPublishedToItsEnd(t *testing.T) {
	p := newProgram(t, t.TempDir())
	p.serve()
	f := p.follow("--every", "1h")
	f.lines(0, 3)
	f.lines(0, 3) // the same lines again are other visits
	f.write(strings.TrimSuffix(logLine(4), "\n"))
	f.pipe.Close()
	f.ends(exitDone)
	p.wait("7")
}

func TestDirectivesOfAStreamHoldForLaterPieces(t *testing.T) {
	t.Parallel()
	p := newProgram(t, t.TempDir())
	p.serve()
	f := p.follow("--every", "1s")
	f.write("#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs(Referer) cs-host\n")
	f.write("2026-03-02 09:16:00 203.0.113.10 GET /x 200 curl/8.5.0 - acme.com\n")
	p.wait("1")
	f.write("2026-03-02 09:17:00 203.0.113.10 GET /y 200 curl/8.5.0 - acme.com\n")
	p.wait("2")
	f.pipe.Close()
	f.ends(exitDone)
}

func TestAStreamOfNonsenseEndsAndIsKept(t *testing.T) {
	p := newProgram(t, t.TempDir())
	f := p.follow("--every", "1s")
	f.lines(0, 10)
	f.write("nonsense\nnonsense\n")
	said := f.ends(exitFailed)
	if !strings.Contains(said, "more than one line in ten was rejected") || !strings.Contains(said, "unpublished-") {
		t.Errorf("it said:\n%s", said)
	}
	kept, _ := filepath.Glob(filepath.Join(p.data, "rejects", "unpublished-*.log"))
	if len(kept) != 1 {
		t.Fatalf("kept: %v", kept)
	}
	if text, _ := os.ReadFile(kept[0]); strings.Count(string(text), "\n") != 12 {
		t.Errorf("kept %q", text)
	}
}

func TestFewBadLinesOfAStreamAreSetAsideInOneFile(t *testing.T) {
	t.Parallel()
	p := newProgram(t, t.TempDir())
	p.serve()
	f := p.follow("--every", "1s")
	f.lines(0, 40)
	p.wait("40")
	f.write("nonsense\n")
	f.lines(40, 41)
	p.wait("41")
	f.write("nonsense\n")
	f.lines(41, 42)
	p.wait("42")
	f.pipe.Close()
	f.ends(exitDone)
	files, _ := filepath.Glob(filepath.Join(p.data, "rejects", "*"))
	if len(files) != 1 {
		t.Fatalf("reject files: %v", files)
	}
	if text, _ := os.ReadFile(files[0]); strings.Count(string(text), "\n") != 2 {
		t.Errorf("rejected: %s", text)
	}
}

// While the data directory cannot be written to, what comes waits.
func TestAStreamOutlivesAFullDisk(t *testing.T) {
	t.Parallel()
	p := newProgram(t, small(t, "20m"))
	p.serve()
	f := p.follow("--every", "1s")
	f.lines(0, 5)
	p.wait("5")
	filler := filepath.Join(p.data, "filler")
	leave(t, filler, 200<<10) // room to hold what comes, but not to publish it
	f.lines(5, 10)
	f.out.says(t, "no space left", "disk is full")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p.wait("10")
	f.pipe.Close()
	f.ends(exitDone)
}

func TestFollowingIsUsedRightly(t *testing.T) {
	p := newProgram(t, t.TempDir())
	for _, args := range [][]string{
		{"load", "logs", "access.log", "--every", "30s"},
		{"load", "logs", "-", "--every", "1ms"},
		{"load", "logs", "-", "--every", "30s", "--dry-run"},
		{"load", "logs", "-", "--every", "often"},
	} {
		if err := p.command(args...).Run(); err == nil || err.(*exec.ExitError).ExitCode() != exitUsage {
			t.Errorf("%v: %v", args, err)
		}
	}
}
