package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func stateOf(t *testing.T, target string) *state {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	return readState(u, today)
}

func TestPromptsAreSortedAndUnknownValuesComeLast(t *testing.T) {
	rows := func() []promptRow {
		return []promptRow{
			{Text: "b", Now: standing{Visibility: ref(0.5), Runs: ref(int64(10))}},
			{Text: "a"},
			{Text: "C", Now: standing{Visibility: ref(0.9), Runs: ref(int64(2))}},
		}
	}
	for query, want := range map[string]string{
		"": "b a C", "sort=prompt": "a b C", "sort=prompt&order=down": "C b a", "sort=visibility": "b C a",
		"sort=visibility&order=down": "C b a", "sort=runs": "C b a", "sort=runs&order=down": "b C a", "sort=nonsense": "b a C",
	} {
		list := rows()
		sortPrompts(stateOf(t, "/prompts?"+query), list, false)
		var got []string
		for _, r := range list {
			got = append(got, r.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
}

func TestHeadingsTurnTheOrder(t *testing.T) {
	links := sortPrompts(stateOf(t, "/prompts?sort=visibility&order=down&last=7d&page=2"), nil, false)
	if l := links[2]; l.Sorted != "descending" || l.Link != "/prompts?last=7d&order=up&sort=visibility" {
		t.Errorf("the current column: %+v", l)
	}
	if l := links[6]; l.Sorted != "" || l.Link != "/prompts?last=7d&order=down&sort=runs" {
		t.Errorf("another column: %+v", l)
	}
	if l := links[5]; l.Link != "/prompts?last=7d&order=up&sort=rank" {
		t.Errorf("ranks begin with the best: %+v", l)
	}
}

func TestLinksCarryTheStateAlong(t *testing.T) {
	s := stateOf(t, "/prompts?product=7&domain=a.example&from=2026-03-01&to=2026-03-05&platform=openai&platform=claude&label=1&sort=runs&unknown=1")
	for got, want := range map[string]string{
		s.toPage("/citations"): "/citations?domain=a.example&from=2026-03-01&label=1&platform=openai&platform=claude&product=7&to=2026-03-05",
		s.toPage("/traffic"):   "/traffic?domain=a.example&from=2026-03-01&product=7&to=2026-03-05",
		s.toProduct(8):         "/prompts?from=2026-03-01&platform=openai&platform=claude&product=8&sort=runs&to=2026-03-05",
		s.Prompted("x & y"):    "/prompt?domain=a.example&from=2026-03-01&label=1&platform=openai&platform=claude&product=7&prompt=x+%26+y&to=2026-03-05",
		s.CSV("prompts"):       "/prompts.csv?domain=a.example&from=2026-03-01&label=1&platform=openai&platform=claude&product=7&sort=runs&table=prompts&to=2026-03-05",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if p := s.presets(today)[0]; p.Current || p.Link != "/prompts?domain=a.example&label=1&last=7d&platform=openai&platform=claude&product=7&sort=runs" {
		t.Errorf("%+v", p)
	}
	if p := stateOf(t, "/?from=2026-03-22&to=2026-03-28").presets(today)[0]; !p.Current {
		t.Error("the last 7 days as dates are not known as such")
	}
}

func TestTheFormCarriesAlongWhatItDoesNotShow(t *testing.T) {
	d := dashboardOf(t, usual())
	get(t, d, "/citations?by=page&mentioned=no&platform=openai").shows(t, 200,
		`<input type="hidden" name="by" value="page">`, `<input type="hidden" name="mentioned" value="no">`, `value="openai" checked`)
}

func TestManyRowsArePaged(t *testing.T) {
	rows := make([]int, 120)
	for i := range rows {
		rows[i] = i
	}
	for _, c := range []struct {
		query            string
		first, n         int
		previous, onward bool
	}{{"", 0, 50, false, true}, {"page=2", 50, 50, true, true}, {"page=3", 100, 20, true, false}, {"page=99", 100, 20, true, false}} {
		got, p := paged(stateOf(t, "/citations?"+c.query), rows)
		if got[0] != c.first || len(got) != c.n || (p.Previous != "") != c.previous || (p.Next != "") != c.onward || p.Total != 120 {
			t.Errorf("%q: %d rows from %d, %+v", c.query, len(got), got[0], p)
		}
	}
	if got, p := paged(stateOf(t, "/citations"), []int{}); len(got) != 0 || p.Next != "" || p.Previous != "" {
		t.Errorf("no rows: %v %+v", got, p)
	}
}

func TestMoversAreThoseThatChanceDoesNotExplain(t *testing.T) {
	row := func(text string, now, before float64, runs int64) promptRow {
		return promptRow{Text: text, Now: standing{Visibility: &now, Runs: &runs}, Before: standing{Visibility: &before, Runs: &runs}}
	}
	var many []promptRow
	for i := range topMovers + 3 {
		many = append(many, row(fmt.Sprint(i), .5+float64(i+1)/20, .5, 5000))
	}
	got := movers(append(many, row("chance", .9, .1, 2), row("fell", .1, .9, 500), promptRow{Text: "unknown"}))
	if len(got) != topMovers || got[0].Text != "fell" || got[1].Text != "8" {
		t.Errorf("%+v", got)
	}
}

func TestCitationsAreComparedRowByRow(t *testing.T) {
	page := func(url string, n int64) api.CitationByPage { return api.CitationByPage{URL: url, Count: n} }
	rows := citedRows(api.CitationResponse{ByPage: []api.CitationByPage{page("a", 8), page("b", 4)}},
		api.CitationResponse{ByPage: []api.CitationByPage{page("b", 2), page("c", 9)}}, api.GroupPage)
	if len(rows) != 2 || rows[0].Before != 0 || rows[1].Before != 2 || rows[0].Share != 1 || rows[1].Share != 0.5 {
		t.Errorf("%+v", rows)
	}
}
