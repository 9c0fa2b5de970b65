package house

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/demotest"
)

const quickstart = "../../docs/quickstart.md"

// The window of the quick start: 30 whole days up to yesterday.
func quickstartWindow() (from, to time.Time) {
	today := time.Now().UTC().Truncate(24 * time.Hour)
	return today.AddDate(0, 0, -30), today.Add(-time.Second)
}

// The programs of the quick start say what the API says, whatever language they
// are in; a server that fails now and then does not change that, and a wrong
// key is not tried twice.
func TestTheQuickstartTellsTheSameStoryInEveryLanguage(t *testing.T) {
	needs(t, quickstart)
	programs := quickstartPrograms(t)
	from, to := quickstartWindow()
	demo := demotest.Start(t, from, to)
	key := demo.Keys[demotest.Lighthouse]
	want := story(t, demo.URL, key)
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := program(demo.URL, key)
			sameStory(t, got, want, err)
			failing := &failures{next: demo.Handler, seen: make(map[string][]time.Time)}
			got, err = program(failing.serve(t), key)
			sameStory(t, got, want, err)
			failing.wereRetried(t)
			refusing := &failures{next: demo.Handler, seen: make(map[string][]time.Time), well: true}
			got, err = program(refusing.serve(t), key+"x")
			if asked := refusing.asked("/v1/products"); err == nil || len(asked) != 1 || !strings.Contains(got, "401") || strings.Contains(got, key) {
				t.Errorf("with a wrong key it asked %d times and said: %s, %v", len(asked), got, err)
			}
		})
	}
}

// quickstartPrograms writes the programs of the document, and builds the one in Go.
func quickstartPrograms(t *testing.T) map[string]func(base, key string) (string, error) {
	t.Helper()
	dir := quickstartFiles(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"mod", "init", "quickstart"},
		{"mod", "edit", "-require", strings.TrimSuffix(module, "/") + "@v0.0.0", "-replace", strings.TrimSuffix(module, "/") + "=" + root},
		{"vet", "quickstart.go"},
		{"build", "-o", "quickstart", "quickstart.go"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %s", args, out)
		}
	}
	programs := make(map[string]func(base, key string) (string, error))
	for name, command := range map[string][]string{"Go": {"./quickstart"}, "Python": {"python3", "quickstart.py"}, "JavaScript": {"node", "quickstart.mjs"}} {
		programs[name] = func(base, key string) (string, error) {
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "SIGHTLINE_BASE_URL="+base, "SIGHTLINE_API_KEY="+key)
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
	}
	return programs
}

func quickstartFiles(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, b := range blocks(t, quickstart) {
		if b.file != "" {
			if err := os.WriteFile(filepath.Join(dir, b.file), []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// failures is a server that fails before it answers: once for each address,
// each kind of address in a way of its own.
type failures struct {
	next http.Handler
	well bool // does not fail
	mu   sync.Mutex
	seen map[string][]time.Time
}

func (f *failures) serve(t *testing.T) (url string) {
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL
}

func (f *failures) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	address := strings.TrimSuffix(r.URL.RequestURI(), "?")
	f.mu.Lock()
	f.seen[address] = append(f.seen[address], time.Now())
	first := len(f.seen[address]) == 1
	f.mu.Unlock()
	switch {
	case f.well || !first:
		f.next.ServeHTTP(w, r)
	case strings.HasSuffix(r.URL.Path, "/products"):
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	case strings.HasSuffix(r.URL.Path, "/summary"):
		panic(http.ErrAbortHandler) // the connection breaks
	default:
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (f *failures) asked(address string) []time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[address]
}

func (f *failures) wereRetried(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for address, asked := range f.seen {
		if len(asked) != 2 {
			t.Errorf("%s was asked %d times", address, len(asked))
		} else if waited := asked[1].Sub(asked[0]); address == "/v1/products" && waited < time.Second {
			t.Errorf("Retry-After was 1 second, and it waited %v", waited)
		}
	}
	if len(f.seen) < 3 {
		t.Errorf("only asked %v", slices.Collect(maps.Keys(f.seen)))
	}
}

// story is what the programs print, from three plain requests.
func story(t *testing.T, base, key string) string {
	t.Helper()
	from, to := quickstartWindow()
	window := "dateFrom=" + from.Format(time.RFC3339) + "&dateTo=" + to.Format(time.RFC3339)
	var products []api.Product
	ask(t, base+"/v1/products", key, &products)
	var out strings.Builder
	for _, p := range products {
		fmt.Fprintf(&out, "%d  %s  %s\n", p.ID, p.Name, p.Domain)
	}
	var s api.PromptSummary
	ask(t, base+"/v1/products/101/prompts/summary?domain=taskharbor.example&"+window, key, &s)
	fmt.Fprintf(&out, "Taskharbor: visible in %.1f %% of answers, position %.2f, rank %d\n", 100**s.Visibility, *s.Position, *s.Rank)
	var page api.TimeseriesResponse
	ask(t, base+"/v1/products/101/analytics/timeseries?perPage=100000&groupBy[]=botType&"+window, key, &page)
	visits := make(map[string]int64)
	for _, row := range page.Items {
		visits[*row.BotType] += *row.BotVisits
	}
	delete(visits, "other")
	agents := slices.SortedFunc(maps.Keys(visits), func(a, b string) int { return cmp.Or(cmp.Compare(visits[b], visits[a]), cmp.Compare(a, b)) })
	for _, a := range agents[:5] {
		fmt.Fprintf(&out, "%s  %d\n", a, visits[a])
	}
	fmt.Fprintf(&out, "5 of %d agents, %d rows\n", len(agents), len(page.Items))
	if len(page.Items) <= 200 {
		t.Errorf("%d rows are one page: nothing is proved about pages", len(page.Items))
	}
	return out.String()
}

func ask(t *testing.T, url, key string, answer any) {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(answer); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v %s", url, res.StatusCode, err, res.Header.Get(api.HeaderErrorDetail))
	}
}

// sameStory compares word by word: languages disagree on how 12.25 is rounded.
func sameStory(t *testing.T, got, want string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	same := func(a, b string) bool {
		var x, y float64
		if _, err := fmt.Sscan(a+" "+b, &x, &y); err == nil && strings.Contains(b, ".") {
			return x-y < 0.11 && y-x < 0.11
		}
		return a == b
	}
	if !slices.EqualFunc(strings.Fields(got), strings.Fields(want), same) || strings.Count(got, "\n") != strings.Count(want, "\n") {
		t.Errorf("it prints\n%s\nthe API says\n%s", got, want)
	}
}
