package house

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A report on a product takes a catalog.Primary, and only a scope makes one. Here
// the compiler is asked whether that is so, with code that tries to get around it.
func TestAReportWithoutAScopeDoesNotCompile(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"with a scope", `func f(s catalog.Scope) { p, _ := s.Product(1); report.Websites(p) }`, ""},
		{"a product of the whole catalog", `func f(s *catalog.Snapshot) { report.Websites(s.Products()[0]) }`, "cannot use s.Products()[0]"},
		{"a primary product put together", `func f(p *catalog.Product) { report.Websites(catalog.Primary{p}) }`, "implicit assignment to unexported field product"},
		{"its field by name", `func f(p *catalog.Product) { report.Websites(catalog.Primary{product: p}) }`, "unexported field product"},
		{"another struct turned into one", `func f(p *catalog.Product) { report.Websites(catalog.Primary(struct{ product *catalog.Product }{p})) }`, "cannot convert"},
		{"a scope put together", `func f() { report.Products(catalog.Scope{reach: nil}) }`, "unexported field reach"},
		{"a number", `func f() { report.Websites(101) }`, "cannot use 101"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := compileInServer(t, c.code)
			if c.want == "" && out != "" || c.want != "" && !strings.Contains(out, c.want) {
				t.Errorf("the compiler says %q, want %q", out, c.want)
			}
		})
	}
}

// compileInServer adds a file to the server, which is not written there, and
// returns what the compiler has against it.
func compileInServer(t *testing.T, code string) string {
	t.Helper()
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "cheat.go"), filepath.Join(dir, "overlay.json")
	place, err := filepath.Abs("../server/cheat.go")
	if err != nil {
		t.Fatal(err)
	}
	text := "package server\n\nimport (\n\t\"" + module + "internal/catalog\"\n\t\"" + module + "internal/report\"\n)\n\nvar _ catalog.Scope\n\n" + code + "\n"
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{place: file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{file: []byte(text), overlay: replace} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "build", "-overlay", overlay, "../server").CombinedOutput()
	if err == nil {
		return ""
	}
	return string(out)
}

// readers are the packages that touch facts, and why each may without a scope.
var readers = map[string]string{
	"internal/report":           "takes a primary product with every question",
	"internal/ingest":           "only adds facts",
	"internal/facts/packed":     "counts what it is given",
	"internal/facts/kept":       "keeps what an engine has read",
	"internal/facts/duckdb":     "keeps them",
	"internal/facts/clickhouse": "keeps them",
	"internal/facts/transfer":   "copies them for the operator",
	"internal/admin":            "tells the operator how they fare, and none of them",
	"cmd/sightline":             "is the operator, who owns them",
}

// What answers callers reaches facts through reports alone: exports, pages and
// assistants get answers, not facts.
func TestFactsAreReadWithAScopeOrByTheOperator(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if slices.Contains(forTests, name) || strings.HasPrefix(name, "bench/") {
			continue
		}
		for _, i := range p.Imports {
			if ours, _ := strings.CutPrefix(i, module); strings.HasPrefix(ours, "internal/facts") && readers[name] == "" {
				t.Errorf("%s imports %s: ask a report", name, ours)
			}
		}
	}
	for _, name := range []string{"internal/server", "internal/export", "internal/mcp", "internal/show", "internal/check", "web", "client"} {
		if _, ok := arrows[name]; !ok || readers[name] != "" {
			t.Errorf("%s answers callers, and may not read facts", name)
		}
	}
}
