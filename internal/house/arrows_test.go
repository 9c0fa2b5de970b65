package house

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/sightline-hq/sightline/"

// arrows lists, for each package, the packages of ours that it may import, and
// why not others. A package that is not here fails the test: decide its place.
var arrows = map[string]struct {
	may    string
	reason string
}{
	"api":                   {"", "the contract stands alone: clients import it without the server"},
	"internal/weburl":       {"", "pure functions on strings"},
	"internal/mention":      {"", "pure functions on texts"},
	"internal/accesslog":    {"", "pure functions on lines"},
	"internal/csvrecord":    {"", "pure functions on lines"},
	"internal/parquet":      {"", "reads a file and knows nothing of what its rows mean"},
	"internal/demo":         {"", "makes input as a user would; it must not know how it is loaded"},
	"internal/logs":         {"", "writes lines and knows nothing of what they tell"},
	"internal/admin":        {"internal/catalog internal/facts internal/server", "tells of the parts of a server, and no part knows of it"},
	"internal/peer":         {"", "looks at a request's address and nothing else"},
	"internal/datadir":      {"", "knows where things lie, not what is in them"},
	"internal/backup":       {"", "copies files and knows nothing of what is in them"},
	"internal/agents":       {"api internal/weburl", "classification knows nothing of storage"},
	"internal/sqlite":       {"", "opens files and knows nothing of what is in them"},
	"internal/postgres":     {"", "opens databases and knows nothing of what is in them"},
	"internal/catalog":      {"internal/postgres internal/sqlite internal/weburl", "who may see what is decided without looking at facts"},
	"internal/facts":        {"", "what a fact is depends on no engine and no catalog"},
	"internal/facts/packed": {"internal/facts", "writes and reads bytes, and knows no engine"},
	"internal/lru":          {"", "keeps values and knows not what they are"},
	"internal/facts/kept":   {"internal/facts internal/lru", "keeps what an engine has read, and knows no engine"},
	"internal/facts/duckdb": {"internal/cores internal/facts internal/facts/kept internal/facts/packed internal/lru internal/sqlite", "an engine stores facts and knows nothing of reports"},
	"internal/cores":        {"", "shares work and knows not what it is"},
	"internal/encode":       {"api internal/cores", "writes answers and knows not where they come from"},
	"internal/report":       {"api internal/catalog internal/cores internal/facts internal/weburl", "reports know neither HTTP nor an engine"},
	"internal/apidocs":      {"api", "renders the contract"},
	"internal/server":       {"api internal/apidocs internal/catalog internal/cores internal/encode internal/export internal/lru internal/peer internal/report", "HTTP reaches facts through reports only"},
	"internal/postgres/pgtest": {"internal/house",
		"starts a server for tests and knows nothing of what they put into it"},
	"internal/ingest": {"api internal/accesslog internal/agents internal/catalog internal/csvrecord internal/facts internal/mention " +
		"internal/parquet internal/weburl", "the loader knows no engine and no server"},
	"internal/oracle":            {"api", "the yardstick must not share code with what it measures"},
	"internal/oracle/random":     {"api internal/oracle", "the yardstick must not share code with what it measures"},
	"internal/contract":          {"api internal/contract/document", "checks answers against the document alone"},
	"internal/contract/document": {"api", "checks answers against the document alone"},
	"internal/check":             {"api internal/contract/document", "sees a server from outside, as bytes"},
	"internal/insight":           {"api", "pure functions on answers"},
	"internal/export":            {"api", "writes rows and knows not where they come from"},
	"internal/show":              {"api internal/export internal/insight", "shows answers and knows not where they come from"},
	"internal/mcp":               {"api client internal/insight", "an assistant sees what any client of the API sees, and no more"},
	"web":                        {"api client internal/export internal/insight internal/peer", "a page shows what any client of the API sees, and no more"},
	"internal/demotest": {"internal/agents internal/catalog internal/datadir internal/demo internal/facts/duckdb internal/ingest internal/leaktest internal/report internal/server",
		"puts a server together for tests"},
	"internal/leaktest":       {"", "looks at goroutines, whosever they are"},
	"internal/house":          {"", "looks at the repository from outside"},
	"internal/faults":         {"", "breaks files and connections, whatever they are for"},
	"client":                  {"api", "other people's programs import it"},
	"bench/logs":              {"", "measures the program from outside"},
	"bench/compare/data":      {"", "makes input as a user would; it must not know how it is loaded"},
	"bench/compare/engines":   {"bench/compare/data", "other engines know nothing of Sightline"},
	"bench/compare/questions": {"api bench/compare/data bench/compare/engines", "what is asked must not share code with what answers"},
	"bench/compare/sightline": {"", "measures the program from outside"},
	"bench/compare/rate":      {"", "measures the program from outside"},
	"bench/compare/wire":      {"bench/compare/sightline", "answers the same client"},
	"bench/compare/report":    {"bench/compare/data bench/compare/rate bench/compare/sightline", "writes down what was measured"},
	"bench/compare": {"bench/compare/data bench/compare/engines bench/compare/questions bench/compare/rate bench/compare/report bench/compare/sightline bench/compare/wire",
		"measures the program from outside"},
	"bench/stress/world":   {"", "makes input as a user would; it must not know how it is loaded"},
	"bench/stress/gauge":   {"", "sees a process from outside"},
	"bench/stress/stage":   {"bench/compare/sightline bench/stress/gauge bench/stress/world", "drives the program from outside"},
	"bench/stress/fuzz":    {"api bench/stress/world", "sees a server from outside, as bytes"},
	"bench/stress/traffic": {"api bench/stress/world", "sees a server from outside"},
	"bench/stress":         {"bench/stress/fuzz bench/stress/gauge bench/stress/stage bench/stress/traffic bench/stress/world", "looks at the program from outside"},
	"internal/e2e":         {"", "is tests alone"},
	"cmd/sightline": {"api client internal/accesslog internal/admin internal/agents internal/backup internal/catalog internal/check internal/datadir internal/demo internal/facts internal/facts/clickhouse internal/facts/duckdb internal/facts/transfer " +
		"internal/ingest internal/insight internal/logs internal/mcp internal/peer internal/report internal/server internal/show web", "puts the parts together"},

	"internal/facts/clickhouse": {"internal/facts internal/facts/kept", "an engine stores facts and knows nothing of reports"},
	"internal/facts/transfer":   {"internal/facts", "copies facts from any engine to any other"},
	"internal/facts/clickhouse/chdbtest": {"internal/facts",
		"runs an engine for tests and knows nothing of what is in it"},
	"internal/facts/clickhouse/clickhousetest": {"internal/house",
		"starts servers for tests and knows nothing of what is in them"},

	"internal/tools/supply": {"", "looks at the built binary from outside"},
}

// forTests are packages that only tests may import.
var forTests = []string{"internal/contract", "internal/demotest", "internal/e2e", "internal/faults", "internal/house", "internal/leaktest", "internal/oracle", "internal/oracle/random", "internal/postgres/pgtest",
	"internal/facts/clickhouse/chdbtest", "internal/facts/clickhouse/clickhousetest"}

type listed struct {
	ImportPath string
	Doc        string
	Imports    []string
	GoFiles    []string
}

func packages(t *testing.T) (all []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,GoFiles", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages found", len(all))
	}
	return all
}

func TestImportsFollowTheArrows(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		rule, ok := arrows[name]
		if !ok {
			t.Errorf("%s has no place in the arrows yet", name)
			continue
		}
		may := make(map[string]bool)
		for _, m := range strings.Fields(rule.may) {
			may[m] = true
		}
		for _, i := range p.Imports {
			if ours, ok := strings.CutPrefix(i, module); ok && !may[ours] {
				t.Errorf("%s imports %s: %s", name, ours, rule.reason)
			}
			if (name == "api" || name == "client") && strings.Contains(strings.TrimPrefix(i, module), ".") {
				t.Errorf("%s imports %s: it may use the standard library only", name, i)
			}
		}
	}
}

func TestNoProgramHoldsWhatIsForTests(t *testing.T) {
	for name, rule := range arrows {
		for _, m := range strings.Fields(rule.may) {
			if slices.Contains(forTests, m) && !slices.Contains(forTests, name) {
				t.Errorf("%s may import %s: only tests may", name, m)
			}
		}
	}
	for _, name := range forTests {
		if _, ok := arrows[name]; !ok {
			t.Errorf("%s is for tests, and is not there", name)
		}
	}
}

func TestPackagesIntroduceThemselves(t *testing.T) {
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.Doc, "Package ") && !strings.HasPrefix(p.Doc, "Command ") {
			t.Errorf("%s has no introduction", p.ImportPath)
		}
	}
}

func TestReportsDoNotNameAnEngine(t *testing.T) {
	read := 0
	err := filepath.WalkDir("../report", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		read++
		for _, engine := range []string{"duckdb", "clickhouse"} {
			if strings.Contains(strings.ToLower(string(text)), engine) {
				t.Errorf("%s names %s", path, engine)
			}
		}
		return err
	})
	if err != nil || read < 10 {
		t.Errorf("%d files read: %v", read, err)
	}
}
