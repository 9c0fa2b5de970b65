package questions

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/engines"
)

func all(t *testing.T) []*Question {
	t.Helper()
	list, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestThereAreThirtyQuestionsThatCoverTheContract(t *testing.T) {
	used := make(map[string]bool)
	list := all(t)
	for i, q := range list {
		if q.Number != i+1 || q.Title == "" {
			t.Errorf("%s has number %d, title %q", q.Name, q.Number, q.Title)
		}
		route, query := q.route()
		used[route] = true
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		for name, list := range values {
			used[name] = true
			for _, v := range list {
				used[name+"="+v] = true
			}
		}
	}
	if len(list) != 30 {
		t.Errorf("%d questions", len(list))
	}
	want := strings.Fields("prompts summary dates citations timeseries domain dateFrom dateTo platforms[] labelIds[] groupBy websiteId " +
		"interval=week metrics[] groupBy[] botTypes[] urlPath page perPage topLimit groupBy=all groupBy=property groupBy=page groupBy=byProduct")
	for _, m := range api.Metrics {
		want = append(want, "metrics[]="+string(m))
	}
	for _, d := range api.Dimensions {
		want = append(want, "groupBy[]="+string(d))
	}
	for _, name := range want {
		if !used[name] {
			t.Errorf("no question uses %s", name)
		}
	}
}

func TestEveryQuestionHasSQLForEveryDialect(t *testing.T) {
	for _, q := range all(t) {
		for _, d := range []engines.Dialect{engines.DuckDB, engines.Postgres, engines.ClickHouse, engines.Old} {
			statements, err := q.SQL(d)
			if err != nil {
				t.Fatalf("%s, %s: %v", q.Name, d, err)
			}
			for _, s := range statements {
				if !strings.Contains(s, "ts between '202") || strings.Contains(s, "<no value>") {
					t.Errorf("%s, %s:\n%s", q.Name, d, s)
				}
				if d == engines.Old && (strings.Contains(s, "with ") || strings.Contains(s, " over ")) {
					t.Errorf("%s: the ClickHouse of 2018 has neither CTEs nor windows:\n%s", q.Name, s)
				}
			}
		}
	}
}

func TestAWindowOfOtherDays(t *testing.T) {
	q := all(t)[0].WithDays(7, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))
	if !strings.Contains(q.Request, "dateFrom=2026-06-24T00:00:00Z&dateTo=2026-06-30T23:59:59Z") {
		t.Error(q.Request)
	}
}

func TestDifferencesAreFound(t *testing.T) {
	const want = `{"items":[{"timestamp":"2026-06-01","botVisits":3,"share":0.1234567890123}],"nextPage":null}`
	for name, c := range map[string]struct {
		got  string
		says string
	}{
		"equal":           {want, ""},
		"last digits":     {strings.Replace(want, "90123", "90124", 1), ""},
		"another number":  {strings.Replace(want, ":3", ":4", 1), "answer.items[0].botVisits is 3 and 4"},
		"a near fraction": {strings.Replace(want, "0.1234567", "0.1234568", 1), "share"},
		"a missing row":   {`{"items":[],"nextPage":null}`, "1 and 0 elements"},
		"a missing field": {`{"items":[{"timestamp":"2026-06-01","botVisits":3}],"nextPage":null}`, "fields"},
		"null or not":     {strings.Replace(want, "null", "2", 1), "nextPage is <nil> and 2"},
		"another kind":    {`[]`, "answer is"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := Parse([]byte(want))
			if err != nil {
				t.Fatal(err)
			}
			b, err := Parse([]byte(c.got))
			if err != nil {
				t.Fatal(err)
			}
			err = Same(a, b)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

func TestRowsBecomeTheAnswerOfTheAPI(t *testing.T) {
	world := data.New(data.Size{Visits: 1000, VisitDays: 1, AnswerDays: 1, Others: 1, Seed: 1})
	byName := func(name string) *Question {
		i := slices.IndexFunc(all(t), func(q *Question) bool { return q.Name == name })
		return all(t)[i]
	}
	for name, c := range map[string]struct {
		rows engines.Rows
		want string
	}{
		"bot-visits-by-day": {engines.Rows{Values: [][]string{{"2026-06-01 00:00:00", "5", "30"}}, All: -1},
			`{"previousPage":null,"currentPage":1,"nextPage":2,"totalPages":2,"totalItems":30,"perPage":20,"items":[{"timestamp":"2026-06-01T00:00:00Z","botVisits":5}]}`},
		"deep-page": {engines.Rows{Values: [][]string{{engines.Null, engines.Null, engines.Null, engines.Null, "150"}}, All: -1},
			`{"previousPage":2,"currentPage":20000,"nextPage":null,"totalPages":2,"totalItems":150,"perPage":100,"items":[]}`},
		"summary": {engines.Rows{Values: [][]string{{"1.5", "0.25", "3", "40"}}}, `{"position":1.5,"visibility":0.25,"rank":3,"totalCompetitors":40}`},
		"citations-by-property": {engines.Rows{Values: [][]string{{"a.example", "7", "202,101", "1"}}},
			`{"byProperty":[{"domain":"a.example","products":[{"name":"Product 101","domain":"product-101.example"},{"name":"Rival 02","domain":"rival-02.example"}],"count":7,"isMentioned":true}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := byName(name).Shape(world, []engines.Rows{c.rows})
			if err != nil {
				t.Fatal(err)
			}
			want, err := Parse([]byte(c.want))
			if err != nil {
				t.Fatal(err)
			}
			if err := Same(want, got); err != nil {
				t.Error(err)
			}
		})
	}
}
