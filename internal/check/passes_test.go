package check_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/check"
)

// defaultRequests is the default of --max-requests.
const defaultRequests = 800

func TestOurServerKeepsTheContract(t *testing.T) {
	r := against(t, world.handler, func(o *check.Options) { o.MaxRequests = defaultRequests })
	for _, o := range r.Outcomes {
		if o.State != check.Passed {
			t.Errorf("%s on %d: %s\n%s\n%s%s", o.Name, o.Product, o.State, o.Request, o.Seen, o.Reason)
		}
	}
	if !r.OK() || r.Count(check.Passed) < 125 || r.Requests < 500 {
		t.Errorf("only %d checks passed, with %d requests", r.Count(check.Passed), r.Requests)
	}
	for _, c := range check.Checks {
		if !slices.ContainsFunc(r.Outcomes, func(o check.Outcome) bool { return o.Name == c.Name }) {
			t.Errorf("%s did not run", c.Name)
		}
	}
	wantWindows(t, r)
}

// The windows that were found hold the newest data.
func wantWindows(t *testing.T, r check.Report) {
	t.Helper()
	if len(r.Products) != check.MaxProducts {
		t.Fatalf("products %+v", r.Products)
	}
	for _, p := range r.Products {
		if p.Answers == nil || p.Visits == nil || !p.Answers.To.Equal(demoTo) || !p.Visits.To.Equal(demoTo) ||
			p.Answers.From.After(demoFrom) || p.Visits.From.After(demoFrom) || p.Visits.From.Weekday() != time.Monday {
			t.Errorf("product %d: answers %v, visits %v", p.ID, p.Answers, p.Visits)
		}
	}
}

// A window may begin and end anywhere.
func TestOurServerKeepsTheContractInOddWindows(t *testing.T) {
	for name, w := range map[string]struct{ from, to time.Time }{
		"in the middle of days":   {demoFrom.Add(7*time.Hour + 11*time.Second), demoTo.Add(-5*time.Hour - 500*time.Millisecond)},
		"within a day":            {demoFrom.Add(30 * time.Hour), demoFrom.Add(40 * time.Hour)},
		"a second":                {demoFrom.Add(30 * time.Hour), demoFrom.Add(30 * time.Hour)},
		"longer than the data is": {demoFrom.AddDate(-1, 0, 0), demoTo.AddDate(0, 1, 0)},
		"without data":            {demoFrom.AddDate(-2, 0, 0), demoFrom.AddDate(-1, 0, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := against(t, world.handler, func(o *check.Options) {
				o.From, o.To, o.Products = w.from, w.to, []int64{102}
				o.Only = []string{"prompts/", "summary/", "dates/", "citations/", "timeseries/", "paging/", "answers/"}
			})
			for _, o := range r.Outcomes {
				if o.State == check.Failed {
					t.Errorf("%s on %d:\n%s\n%s", o.Name, o.Product, o.Request, o.Seen)
				}
			}
		})
	}
}

// Without anything of Sightline's own: no header but the type, spaces in bodies,
// at most 50 rows on a page, and other answers to what the contract leaves open.
func foreign(w http.ResponseWriter, r *http.Request) {
	b := breakage{
		before: brokenPages[slices.IndexFunc(brokenPages, func(b breakage) bool { return b.name == "100 rows at most" })].before,
		after: func(r *http.Request, a *reply) {
			kind := a.header.Get("Content-Type")
			a.header = http.Header{"Content-Type": {kind + "; charset=utf-8"}}
			a.body = []byte(strings.ReplaceAll(string(a.body), `":`, `" : `))
		},
	}
	broken(nil, b).ServeHTTP(w, r)
}

func TestAnotherServerOfTheContractPassesWhatIsNotOurs(t *testing.T) {
	r := against(t, http.HandlerFunc(foreign), func(o *check.Options) { o.ContractOnly, o.Products = true, []int64{101} })
	for _, o := range r.Outcomes {
		if o.State != check.Passed {
			t.Errorf("%s: %s\n%s\n%s%s", o.Name, o.State, o.Request, o.Seen, o.Reason)
		}
	}
	if n := r.Count(check.Passed); n < 25 || n > len(check.Checks)/2 {
		t.Errorf("%d checks passed", n)
	}
	if r := against(t, http.HandlerFunc(foreign), func(o *check.Options) { o.Only = []string{"answers/"} }); r.OK() {
		t.Error("the server passes for Sightline")
	}
}
