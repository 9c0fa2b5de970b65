package oracle

import (
	"testing"

	"github.com/sightline-hq/sightline/api"
)

// visited has four runs of "best rocket" and one of "Cheap rocket":
//
//	        prompt 11, openai          prompt 11, perplexity   prompt 12, openai
//	Mar 2   Zoom, Acme                 -                       -
//	Mar 2   Acme                       -                       -
//	Mar 3   Zoom, Orbit                nobody                  Acme, Zoom, Orbit
func visited() *World {
	w := small()
	w.Answers = []Answer{
		run("a1", 11, "openai", "2026-03-02T09:00:00Z", 201, 101),
		run("a2", 11, "openai", "2026-03-02T23:59:59.999Z", 101),
		run("a3", 11, "openai", "2026-03-03T00:00:00Z", 201, 301),
		run("a4", 11, "perplexity", "2026-03-03T12:00:00Z"),
		run("a5", 12, "openai", "2026-03-03T12:00:00Z", 101, 201, 301),
	}
	return w
}

// On openai, prompt 11 ran 3 times and names Acme twice, at 2 and 1: visibility
// 2/3, position 1.5. Zoom has 2 of 3 as well, so both rank 1 (S10). On
// perplexity it ran without a mention (S8), on claude not at all (S7).
// "Cheap" sorts before "best": by byte (S12).
func TestPrompts(t *testing.T) {
	rows, status := visited().Prompts("acme", 101, acme())
	expect(t, rows, status, `
		{"promptText":"Cheap rocket","platform":"openai","domain":"acme.com","position":1,"visibility":1,"rank":1,"runCount":1,"labels":[{"id":2,"name":"price"}]}
		{"promptText":"best rocket","platform":"claude","domain":"acme.com","position":null,"visibility":null,"rank":null,"runCount":null,"labels":[{"id":1,"name":"brand"},{"id":2,"name":"price"}]}
		{"promptText":"best rocket","platform":"openai","domain":"acme.com","position":1.5,"visibility":0.6666666666666666,"rank":1,"runCount":3,"labels":[{"id":1,"name":"brand"},{"id":2,"name":"price"}]}
		{"promptText":"best rocket","platform":"perplexity","domain":"acme.com","position":null,"visibility":0,"rank":null,"runCount":1,"labels":[{"id":1,"name":"brand"},{"id":2,"name":"price"}]}`)
}

// Five answers, three name Acme, at 2, 1 and 1: 3/5 and 4/3. An average of the
// rows above would be 5/9. Zoom is named three times too, Orbit twice.
func TestSummaryPoolsTheAnswers(t *testing.T) {
	summary, status := visited().PromptSummary("acme", 101, acme())
	expect(t, summary, status, `{"position":1.3333333333333333,"visibility":0.6,"rank":1,"totalCompetitors":2}`)
}

func TestSummaryOfNothing(t *testing.T) {
	r := acme()
	r.Platforms = []string{"nosuch"}
	summary, status := visited().PromptSummary("acme", 101, r)
	expect(t, summary, status, `{"position":null,"visibility":null,"rank":null,"totalCompetitors":0}`)
}

func TestSummaryWithoutAMention(t *testing.T) {
	r := acme()
	r.Platforms = []string{"perplexity"}
	summary, status := visited().PromptSummary("acme", 101, r)
	expect(t, summary, status, `{"position":null,"visibility":0,"rank":null,"totalCompetitors":0}`)
}

// On March 3 openai gave two answers; Acme is in one, Zoom and Orbit in both.
func TestDatesAreSparseAndSorted(t *testing.T) {
	rows, status := visited().PromptDates("acme", 101, acme())
	expect(t, rows, status, `
		{"date":"2026-03-02T00:00:00Z","platform":"openai","domain":"acme.com","visibility":1,"position":1.5,"rank":1}
		{"date":"2026-03-03T00:00:00Z","platform":"openai","domain":"acme.com","visibility":0.5,"position":1,"rank":3}
		{"date":"2026-03-03T00:00:00Z","platform":"perplexity","domain":"acme.com","visibility":0,"position":null,"rank":null}`)
}

func TestEqualVisibilityIsEqualRank(t *testing.T) {
	w := small()
	w.Answers = []Answer{
		run("a1", 11, "openai", "2026-03-02T09:00:00Z", 201, 301),
		run("a2", 11, "openai", "2026-03-02T09:00:00Z", 301, 201, 101),
	}
	rows, _ := w.PromptDates("acme", 101, acme())
	if len(rows) != 1 || *rows[0].Rank != 3 {
		t.Errorf("got %s, want rank 3 behind two firsts", lineByLine(t, rows))
	}
}

func TestMentionsOfProductsOutsideTheComparisonDoNotCount(t *testing.T) {
	w := small()
	w.Answers = []Answer{
		run("a1", 11, "openai", "2026-03-02T09:00:00Z", 401),
		run("a2", 11, "openai", "2026-03-02T09:00:00Z", 401, 101),
	}
	summary, status := w.PromptSummary("acme", 101, acme())
	expect(t, summary, status, `{"position":2,"visibility":0.5,"rank":1,"totalCompetitors":0}`)
}

func TestWindowTakesBothEndsIn(t *testing.T) {
	w := small()
	w.Answers = []Answer{run("a1", 11, "openai", "2026-03-02T10:00:00.9+01:00", 101)} // 09:00:00 in UTC
	for _, c := range []struct {
		name     string
		from, to string
		want     bool
	}{
		{"exactly its second", "2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z", true},
		{"in another zone", "2026-03-02T14:30:00+05:30", "2026-03-02T14:30:00+05:30", true},
		{"from a second later", "2026-03-02T09:00:01Z", "2026-03-03T00:00:00Z", false},
		{"from half a second later", "2026-03-02T09:00:00.5Z", "2026-03-03T00:00:00Z", false},
		{"to a second earlier", "2026-03-01T00:00:00Z", "2026-03-02T08:59:59Z", false},
		{"to the end of the second before", "2026-03-01T00:00:00Z", "2026-03-02T08:59:59.999Z", false},
	} {
		r := acme()
		r.Window = window(c.from, c.to)
		rows, _ := w.PromptDates("acme", 101, r)
		if (len(rows) == 1) != c.want {
			t.Errorf("%s: found %d rows", c.name, len(rows))
		}
	}
}

func TestSelection(t *testing.T) {
	both := []string{"Cheap rocket openai", "best rocket claude", "best rocket openai"}
	for _, c := range []struct {
		name string
		r    api.PromptsRequest
		want []string
	}{
		{"domain", api.PromptsRequest{Domain: "acme.com"}, both},
		{"domain in upper case", api.PromptsRequest{Domain: "ACME.com"}, both},
		{"domain with www. and a dot", api.PromptsRequest{Domain: "WWW.acme.com."}, both},
		{"another domain of the product", api.PromptsRequest{Domain: "shop.example"}, []string{"best rocket openai"}},
		{"a domain the product does not have", api.PromptsRequest{Domain: "zoom.example"}, nil},
		{"a subdomain", api.PromptsRequest{Domain: "sub.acme.com"}, nil},
		{"label", api.PromptsRequest{Domain: "acme.com", LabelIDs: []int64{1}}, both[1:]},
		{"any of the labels", api.PromptsRequest{Domain: "acme.com", LabelIDs: []int64{1, 2}}, both},
		{"platforms", api.PromptsRequest{Domain: "acme.com", Platforms: []string{"claude"}}, []string{"best rocket claude"}},
		{"unknown platform", api.PromptsRequest{Domain: "acme.com", Platforms: []string{"nosuch"}}, nil},
	} {
		c.r.Window = march
		rows, status := small().Prompts("acme", 101, c.r)
		if status != 200 || rows == nil || len(rows) != len(c.want) {
			t.Errorf("%s: status %d, %s", c.name, status, lineByLine(t, rows))
			continue
		}
		for i, want := range c.want {
			if got := rows[i].PromptText + " " + rows[i].Platform; got != want {
				t.Errorf("%s: row %d is %q, want %q", c.name, i, got, want)
			}
		}
	}
}

func TestAForeignLabelIsABadRequest(t *testing.T) {
	r := acme()
	r.LabelIDs = []int64{1, 3}
	if _, status := small().Prompts("acme", 101, r); status != 400 {
		t.Errorf("prompts: status %d, want 400", status)
	}
	if _, status := small().PromptSummary("acme", 101, r); status != 400 {
		t.Errorf("summary: status %d, want 400", status)
	}
	if _, status := small().PromptDates("acme", 101, r); status != 400 {
		t.Errorf("dates: status %d, want 400", status)
	}
	if _, status := small().Citations("acme", 101, api.CitationsRequest{PromptsRequest: r, GroupBy: api.GroupAll}); status != 400 {
		t.Errorf("citations: status %d, want 400", status)
	}
}

func TestALaterAnswerReplacesTheOneWithItsID(t *testing.T) {
	w := small()
	w.Answers = []Answer{
		run("a1", 11, "openai", "2026-03-02T09:00:00Z", 101),
		run("a1", 12, "claude", "2026-03-20T09:00:00Z", 201, 101),
	}
	rows, status := w.PromptDates("acme", 101, acme())
	expect(t, rows, status, `
		{"date":"2026-03-20T00:00:00Z","platform":"claude","domain":"acme.com","visibility":1,"position":2,"rank":1}`)
}
