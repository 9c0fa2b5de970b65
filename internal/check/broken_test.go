package check_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/check"
)

// breakage is one thing that a server does wrong. It may change a request
// before our server sees it, and an answer before the caller does.
type breakage struct {
	name     string
	caughtBy string
	before   func(*http.Request)
	after    func(*http.Request, *reply)
}

// reply is an answer on its way.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// broken is our server with a breakage.
func broken(t *testing.T, b breakage) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("the breakage is broken itself: %v", p)
			}
		}()
		asked := r.Clone(r.Context())
		if b.before != nil {
			b.before(asked)
		}
		rec := httptest.NewRecorder()
		world.handler.ServeHTTP(rec, asked)
		answer := &reply{rec.Code, rec.Header(), rec.Body.Bytes()}
		if b.after != nil {
			if r.Method != http.MethodHead {
				answer.header.Del("Content-Length")
			}
			b.after(r, answer)
		}
		for name, values := range answer.header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.status)
		w.Write(answer.body)
	})
}

func TestABrokenServerIsCaughtByTheCheckThatNamesIt(t *testing.T) {
	for _, b := range breakages {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			r := against(t, broken(t, b), func(o *check.Options) {
				o.Products, o.From, o.To, o.Only = []int64{101}, demoFrom, demoTo, []string{b.caughtBy}
				if strings.HasPrefix(b.caughtBy, "answers/") { // they need answers to look at
					o.Only = append(o.Only, "products/", "prompts/order", "routes/unclean-path", "paging/empty")
				}
			})
			i := slices.IndexFunc(r.Outcomes, func(o check.Outcome) bool { return o.Name == b.caughtBy })
			if i < 0 {
				t.Fatalf("%s did not run", b.caughtBy)
			}
			if o := r.Outcomes[i]; o.State != check.Failed || o.Request == "" || o.Seen == "" {
				t.Errorf("%s: %s %s\n%s\n%s", o.Name, o.State, o.Reason, o.Request, o.Seen)
			} else {
				t.Logf("%s\n%s", o.Request, o.Seen)
			}
			if r.OK() {
				t.Error("the report is all right")
			}
		})
	}
}

// A check that nothing breaks proves nothing.
func TestEveryCheckCatchesSomething(t *testing.T) {
	for _, c := range check.Checks {
		if !slices.ContainsFunc(breakages, func(b breakage) bool { return b.caughtBy == c.Name }) {
			t.Errorf("%s: no broken server is caught by it", c.Name)
		}
	}
}

func TestBreakagesHaveNamesOfTheirOwn(t *testing.T) {
	seen := make(map[string]bool)
	for _, b := range breakages {
		if seen[b.name] || (b.before == nil) == (b.after == nil) {
			t.Errorf("%s is there twice, or breaks nothing or two things", b.name)
		}
		seen[b.name] = true
	}
}

var breakages = slices.Concat(brokenAccess, brokenRequests, brokenPrompts, brokenCitations, brokenSeries, brokenPages, brokenExports, brokenAnswers)

// on says whether a request is for a route, by the end of its path.
func on(r *http.Request, end string) bool { return strings.HasSuffix(r.URL.Path, end) }

// ask changes the parameters of requests for a route.
func ask(end string, change func(url.Values)) func(*http.Request) {
	return func(r *http.Request) {
		values, err := url.ParseQuery(r.URL.RawQuery)
		if !on(r, end) || err != nil {
			return
		}
		change(values)
		r.URL.RawQuery = values.Encode()
	}
}

// ignore is a route that does not look at a parameter.
func ignore(end, name string) func(*http.Request) {
	return ask(end, func(v url.Values) { v.Del(name) })
}

// tell changes good answers of a route.
func tell[T any](end string, change func(*T)) func(*http.Request, *reply) {
	return tellIf(end, func(url.Values) bool { return true }, change)
}

// tellIf changes good answers to some requests for a route.
func tellIf[T any](end string, some func(url.Values) bool, change func(*T)) func(*http.Request, *reply) {
	return func(r *http.Request, a *reply) {
		if !on(r, end) || a.status != http.StatusOK || r.Method != http.MethodGet || !some(r.URL.Query()) {
			return
		}
		var value T
		if err := json.Unmarshal(a.body, &value); err != nil {
			panic(err)
		}
		change(&value)
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		a.body = text
	}
}

// say answers with a status and a message.
func say(a *reply, status int, message string) {
	a.status, a.body = status, []byte(`{"message":"`+message+`"}`)
}
