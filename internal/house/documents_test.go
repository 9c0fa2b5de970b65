package house

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/insight"
)

// Blocks of documents that start with make are run by CI itself.
var byCI = regexp.MustCompile(`^make [a-z]+$`)

// Every command in the documents works: each document is run from top to
// bottom in an empty folder, with the program on the path and the demo's API at
// $BASE; then its SQL.
func TestCommandsInTheDocumentsWork(t *testing.T) {
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			Skip(t, "the commands in the documents need "+tool)
		}
	}
	bin := t.TempDir()
	if err := os.Symlink(program(t), filepath.Join(bin, "sightline")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "SOURCE="+root)
	environment = append(environment, startDemo(t, bin)...)
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(documents) < 3 {
		t.Fatalf("documents: %v %v", documents, err)
	}
	ran := 0
	for _, document := range append(documents, "../../README.md") {
		t.Run(filepath.Base(document), func(t *testing.T) {
			needs(t, document)
			needsPandas(t, document, bin)
			ran += runDocument(t, document, environment)
		})
	}
	if ran < 15 {
		t.Errorf("only %d commands were run", ran)
	}
}

// startDemo serves the demo, and returns the variables that documents use.
func startDemo(t *testing.T, bin string) []string {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "sightline"), "demo", "--listen", "127.0.0.1:0", "--data", t.TempDir())
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the demo ended with %v: %s", err, errOut.String())
		}
	})
	var key, base string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, k, ok := strings.Cut(lines.Text(), "export KEY="); ok {
			key = k
		}
		if _, address, ok := strings.Cut(lines.Text(), "explained: "); ok {
			base = strings.TrimSuffix(address, "/docs")
			break
		}
	}
	if key == "" || base == "" {
		t.Fatalf("the demo did not start: %s", errOut.String())
	}
	go io.Copy(io.Discard, out)
	usual := insight.Usual(time.Now())
	return []string{
		"KEY=" + key, "BASE=" + base, "PRODUCT=101", "DOMAIN=taskharbor.example",
		"FROM=" + usual.From.Format(time.RFC3339), "TO=" + usual.To.Format(time.RFC3339),
	}
}

// documentTime is how long the commands of a document may take: one that waits
// for ever must not wait for all tests.
const documentTime = 5 * time.Minute

// runDocument runs the commands of a document and returns how many there were.
func runDocument(t *testing.T, path string, environment []string) (commands int) {
	dir := t.TempDir()
	script := "set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
	for _, b := range blocks(t, path) {
		switch {
		case b.file != "":
			if err := os.WriteFile(filepath.Join(dir, b.file), []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
		case b.language == "sh" && byCI.MatchString(strings.TrimSpace(b.text)):
			if out, err := exec.Command("make", "-n", "-C", "../..", strings.Fields(b.text)[1]).CombinedOutput(); err != nil {
				t.Errorf("%s: %s", b.text, out)
			}
		case b.language == "sh":
			commands++
			script += fmt.Sprintf("echo '--- %s'\n%s", strings.ReplaceAll(b.text, "'", `'\''`), faultless(b.text))
		}
	}
	if commands == 0 {
		return 0
	}
	ctx, cancel := context.WithTimeout(t.Context(), documentTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir, cmd.Env = dir, environment
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", path, err, out)
	}
	return commands + runStatements(t, path, dir, environment)
}

// runStatements runs the SQL of a document on the files that its commands made.
func runStatements(t *testing.T, path, dir string, environment []string) (statements int) {
	for _, b := range blocks(t, path) {
		if b.language != "sql" {
			continue
		}
		statements++
		t.Run(fmt.Sprintf("sql %d", statements), func(t *testing.T) {
			rows := runSQL(t, dir, b.text)
			if strings.Contains(b.text, "sum(visibility * runCount)") {
				pooledVisibilityIsTheSummarys(t, rows, environment)
			}
		})
	}
	return statements
}

// faultless makes curl fail on an error of the server, unless the document
// means to show one.
func faultless(text string) string {
	if strings.Contains(text, "-i ") || strings.Contains(text, "-I ") {
		return text
	}
	text = strings.ReplaceAll(text, "curl ", "curl --fail-with-body ")
	return strings.ReplaceAll(text, "curl --fail-with-body -f", "curl -f") // which fails already
}

type block struct{ language, file, text string }

// blocks reads the fenced blocks of a document. The first word behind the
// fence is the language, the second the name of a file.
func blocks(t *testing.T, path string) (all []block) {
	t.Helper()
	var current *block
	for line := range strings.Lines(string(read(t, path))) {
		fence, ok := strings.CutPrefix(line, "```")
		switch {
		case ok && current == nil:
			current = &block{}
			words := append(strings.Fields(fence), "", "")
			current.language, current.file = words[0], words[1]
		case ok:
			all = append(all, *current)
			current = nil
		case current != nil:
			current.text += line
		}
	}
	return all
}

func TestLinksInTheDocumentsLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	documents, _ := filepath.Glob("../../docs/*.md")
	top, _ := filepath.Glob("../../*.md")
	found := 0
	for _, path := range append(documents, top...) {
		for _, m := range link.FindAllStringSubmatch(string(read(t, path)), -1) {
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d links found", found)
	}
}
