package check

import (
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

func at(text string) time.Time {
	t, err := api.ParseTime(text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestHalvesTouchAtAMidnight(t *testing.T) {
	cases := []struct{ name, from, to, middle string }{ // no middle: cannot be divided
		{"whole days", "2026-03-01T00:00:00Z", "2026-03-04T23:59:59Z", "2026-03-02T00:00:00Z"},
		{"two days", "2026-03-01T00:00:00Z", "2026-03-02T23:59:59Z", "2026-03-02T00:00:00Z"},
		{"over midnight", "2026-03-01T22:00:00Z", "2026-03-02T03:00:00Z", "2026-03-02T00:00:00Z"},
		{"mostly before midnight", "2026-03-01T02:00:00Z", "2026-03-02T01:00:00Z", "2026-03-02T00:00:00Z"},
		{"one day", "2026-03-01T00:00:00Z", "2026-03-01T23:59:59Z", ""},
		{"an instant", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := api.Window{From: at(c.from), To: at(c.to)}
			left, right, ok := halves(w)
			if ok != (c.middle != "") {
				t.Fatalf("divided: %v, %v", left, right)
			}
			if ok && (!right.From.Equal(at(c.middle)) || !left.To.Equal(right.From.Add(-time.Second)) || left.From != w.From || right.To != w.To) {
				t.Errorf("got %v and %v", left, right)
			}
		})
	}
}

func TestFieldsAreTheNamesOfTheContract(t *testing.T) {
	for m, want := range map[api.Metric]string{
		api.BotVisits: "botVisits", api.AIReferredHumanVisits: "aiReferredHumanVisits", api.BotUserAgents: "botUserAgents",
	} {
		if got := field(m); got != want {
			t.Errorf("%s is %s, want %s", m, got, want)
		}
	}
}

func TestWeeksBeginOnMonday(t *testing.T) {
	for day, want := range map[string]string{
		"2026-03-02T00:00:00Z": "2026-03-02T00:00:00Z", "2026-03-08T00:00:00Z": "2026-03-02T00:00:00Z", "2026-01-01T00:00:00Z": "2025-12-29T00:00:00Z",
	} {
		if got := mondayOf(item{"timestamp": day}); got != want {
			t.Errorf("%s is of %s, want %s", day, got, want)
		}
	}
	if mondayOf(item{"timestamp": "x"}) != "x" {
		t.Error("what is no time has a week")
	}
}

func TestWhatIsShownIsShortAndSafe(t *testing.T) {
	if got := shorten("a\nb\x1b[31mc\xffd"); got != "a; b�[31mc�d" {
		t.Errorf("got %q", got)
	}
	if got := shorten(strings.Repeat("é", 1000)); len(got) > 610 || !strings.HasSuffix(got, "é …") {
		t.Errorf("got %d bytes, ending with %q", len(got), got[len(got)-8:])
	}
}

func TestRequestsAreShownAsPeopleWriteThem(t *testing.T) {
	q := query{}.with("dateFrom", "2026-03-01T00:00:00+01:00", "metrics[]", "bot_visits").set("metrics[]", "a b")
	r := request{method: "GET", target: q.at("/v1/products/101/prompts"), as: bearer("with the second key", "secret")}
	want := "GET /v1/products/101/prompts?dateFrom=2026-03-01T00:00:00%2B01:00&metrics[]=a+b (with the second key)"
	if r.String() != want {
		t.Errorf("got %s", r)
	}
}

func TestQueriesAreNeverChangedInPlace(t *testing.T) {
	q := make(query, 0, 10).with("a", "1")
	one, two := q.with("b", "2"), q.with("c", "3")
	if q.String() != "a=1" || one.String() != "a=1&b=2" || two.String() != "a=1&c=3" || q.without("a").String() != "" || q.String() != "a=1" {
		t.Errorf("%s, %s, %s", q, one, two)
	}
}
