package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

func show[T any](p *T) string {
	if p == nil {
		return "null"
	}
	return fmt.Sprint(*p)
}

func TestStanding(t *testing.T) {
	counted := func(answers, positions int64, mentions ...int64) *facts.Tally { // us first
		return &facts.Tally{Answers: answers, Positions: positions, Mentions: mentions}
	}
	for _, c := range []struct {
		name                       string
		tally                      *facts.Tally
		visibility, position, rank string
	}{
		{"no run", nil, "null", "null", "null"},
		{"a run without a mention", counted(4, 0, 0, 0), "0", "null", "null"},
		{"a run that mentions others only", counted(4, 0, 0, 4), "0", "null", "null"},
		{"alone", counted(4, 6, 3, 0), "0.75", "2", "1"},
		{"second", counted(4, 1, 1, 2), "0.25", "1", "2"},
		{"tied for first", counted(4, 3, 2, 2, 1), "0.5", "1.5", "1"},
		{"after two that are tied", counted(4, 3, 1, 2, 2), "0.25", "3", "3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := standingOf(c.tally, 0)
			got := show(s.visibility) + " " + show(s.position) + " " + show(s.rank)
			if want := c.visibility + " " + c.position + " " + c.rank; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestOffsetsOfFarPagesAreNumbers(t *testing.T) {
	for _, c := range []struct{ page, perPage, want int64 }{
		{1, 20, 0}, {3, 20, 40}, {2, 1 << 62, 1 << 62}, {3, 1 << 62, math.MaxInt64}, {1, math.MaxInt64, 0}, {2, math.MaxInt64, math.MaxInt64},
		{1<<62 + 1, 4, math.MaxInt64}, {math.MaxInt64, 2, math.MaxInt64}, {math.MaxInt64, 1, math.MaxInt64 - 1},
	} {
		if got := offset(c.page, c.perPage); got != c.want {
			t.Errorf("page %d of %d rows begins after %d, want %d", c.page, c.perPage, got, c.want)
		}
	}
}

func TestPaginate(t *testing.T) {
	for _, c := range []struct {
		items, perPage, page  int64
		pages, previous, next string
	}{
		{0, 20, 1, "0", "null", "null"},
		{0, 20, 7, "0", "null", "null"},
		{1, 20, 1, "1", "null", "null"},
		{20, 20, 1, "1", "null", "null"},
		{21, 20, 1, "2", "null", "2"},
		{21, 20, 2, "2", "1", "null"},
		{21, 20, 3, "2", "2", "null"},
		{21, 20, 9, "2", "2", "null"},
		{50, 10, 3, "5", "2", "4"},
		{5, math.MaxInt64, 1, "1", "null", "null"},
		{5, 1, math.MaxInt64, "5", "5", "null"},
	} {
		t.Run(fmt.Sprintf("page %d of %d by %d", c.page, c.items, c.perPage), func(t *testing.T) {
			a := api.TimeseriesResponse{TotalItems: c.items, PerPage: c.perPage, CurrentPage: c.page}
			paginate(&a)
			got := fmt.Sprint(a.TotalPages) + " " + show(a.PreviousPage) + " " + show(a.NextPage)
			if want := c.pages + " " + c.previous + " " + c.next; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestOwnershipOfDomains(t *testing.T) {
	acme := &catalog.Product{ID: 1, Name: "Acme", Domain: "acme.com"}
	acme.Websites = []*catalog.Website{{Domain: "shop.example", Partner: true}, {Domain: "old.example"}}
	zoom := &catalog.Product{ID: 2, Name: "Zoom", Domain: "zoom.acme.com"}
	acme.Competitors = []*catalog.Product{zoom}
	c := newCitations(acme, facts.Cited{})
	for domain, want := range map[string]string{
		"acme.com":          "[1]",
		"docs.acme.com":     "[1]",
		"zoom.acme.com":     "[1 2]",
		"x.zoom.acme.com":   "[1 2]",
		"notacme.com":       "[]",
		"com":               "[]",
		"acme.com.evil.com": "[]",
		"shop.example":      "[1]",
		"a.old.example":     "[1]",
		"example":           "[]",
		"":                  "[]",
	} {
		owners := []int64{}
		places := c.ownersOf(domain)
		for _, p := range c.products {
			if places.Has(p.place) {
				owners = append(owners, p.ID)
			}
		}
		slices.Sort(owners)
		if got := fmt.Sprint(owners); got != want {
			t.Errorf("%q belongs to %s, want %s", domain, got, want)
		}
	}
}

// plain is an engine that spells things so that a test can read them.
type plain struct{}

func (plain) Dialect() facts.Dialect { return plain{} }
func (plain) Table(t facts.Table, columns []string, first, last int64) string {
	return fmt.Sprintf("%s%v[%d,%d]", t, columns, first, last)
}
func (plain) DistinctIf(condition string, cols ...string) string {
	return "distinct_if(" + condition + "; " + strings.Join(cols, ",") + ")"
}
func (plain) Within(t facts.Table, first, last int64) string {
	return fmt.Sprintf("%s within [%d,%d]", t, first, last)
}
func (plain) CountOver(bool) string { return "count over" }
func (plain) When() string          { return "ts" }

func (plain) Grouped(column string) (shown, key string) { return column, "" }
func (plain) CountIf(condition string) string           { return "count_if(" + condition + ")" }
func (plain) TopPer(query, partition, order string, n int64) string {
	return fmt.Sprintf("top %d per %s by %s of (%s)", n, partition, order, query)
}

func TestTextIsAlwaysAnArgument(t *testing.T) {
	evil := "'; drop table visits; --"
	plan := timeseriesPlan{
		window: window{1, 2}, WebsiteIDs: []string{evil, "w"}, Platforms: []string{evil}, BotTypes: []string{evil},
		NormalizedURLPath: &evil, Bucket: bucketSQL(api.Week, "ts"), Dimensions: []string{"platform"}, Metrics: []string{"x"}, TopLimit: 3,
		Shown: []string{"platform"}, Keys: []string{"d0"},
		Totals: &totalsPlan{Interval: api.Week, Column: "y", Parts: []totalsPart{{window: window{3, 4}, Table: facts.Totals, Width: 1, Values: []string{"sum(y)"}}}}, Edges: []window{{1, 2}},
	}
	for _, name := range []string{"timeseries_count.sql", "timeseries_page.sql", "timeseries_sizes.sql"} {
		s, err := render(name, plain{}, plan.window, plan)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.SQL, "drop") {
			t.Errorf("text became SQL: %s", s.SQL)
		}
		if n := strings.Count(s.SQL, "?"); n != 9 || len(s.Args) != n {
			t.Errorf("%d places for %d arguments: %s", n, len(s.Args), s.SQL)
		}
		if name != "timeseries_sizes.sql" && !strings.Contains(s.SQL, "top 3 per bucket by m0 desc, d0 of (select") {
			t.Errorf("topLimit is missing: %s", s.SQL)
		}
	}
	answers := answerPlan{
		AnswerQuery: facts.AnswerQuery{First: 1, Last: 2, PromptIDs: []int64{1, 2}, Products: []int64{3}, Platforms: []string{evil}},
		Group:       "0", Platform: "''", Page: pageEach,
	}
	for _, name := range []string{"prompt_runs.sql", "prompt_mentions.sql", "citation_counts.sql", "citation_mentions.sql"} {
		s, err := render(name, plain{}, answers.window(), answers)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.SQL, "drop") || strings.Count(s.SQL, "?") != len(s.Args) || len(s.Args) == 0 {
			t.Errorf("%s: %s %q", name, s.SQL, s.Args)
		}
	}
}

func TestEveryMetricAndDimensionHasSQLAndAField(t *testing.T) {
	seen := make(map[string]bool)
	for _, m := range api.Metrics {
		sql := metrics[m].sql(plain{})
		if seen[sql] {
			t.Errorf("%s has the SQL of another metric: %s", m, sql)
		}
		seen[sql] = true
		item := api.TimeseriesItem{}
		n := int64(7)
		*metricField(&item, m) = &n
		if item == (api.TimeseriesItem{}) {
			t.Errorf("%s has no field", m)
		}
	}
	for _, d := range api.Dimensions {
		item := api.TimeseriesItem{}
		*dimensionField(&item, d) = new(string)
		if column[d] == "" || item == (api.TimeseriesItem{}) {
			t.Errorf("%s has no column or no field", d)
		}
	}
	for _, i := range api.Intervals {
		if widths[i] == 0 {
			t.Errorf("%s has no width", i)
		}
	}
}
