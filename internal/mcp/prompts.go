package mcp

import (
	"context"
	"fmt"

	"github.com/sightline-hq/sightline/api"
)

const (
	noPrompts = "No tracked prompt matches. Check the domain (list_products shows the product's own; prompts can also be tracked for another domain of it), " +
		"the platforms (names are exact, such as openai) and the labels."
	noRuns = "No AI answers match: none were recorded in this period for this domain, these platforms and these labels. " +
		"Check those (get_prompts shows what is tracked), or try an earlier or longer period."
)

type promptsOut struct {
	asked
	paging
	Prompts []api.PromptMetric `json:"prompts"`
	Notes   []string           `json:"notes,omitempty"`
}

func (o promptsOut) text() string { return report(o.asked, o.Prompts, o.Notes, "domain") }

// report is the text of an answer that is one table.
func report[T any](a asked, rows []T, notes []string, without ...string) string {
	if len(rows) == 0 {
		return a.text() + paragraphs(notes)
	}
	return a.text() + "\n" + table(rows, without...) + paragraphs(notes)
}

func (r *reader) getPrompts(ctx context.Context, in promptsIn) (o promptsOut, err error) {
	request, about, err := r.prompts(ctx, in)
	if err != nil {
		return o, err
	}
	rows, err := r.client.Prompts(ctx, about.ProductID, request)
	if err != nil {
		return o, r.explain(ctx, about.ProductID, err)
	}
	o.asked = about
	o.Prompts, o.paging, o.Notes = listing(rows, in.pageIn, noPrompts)
	return o, nil
}

// listing is a page of rows, and what is to be said about it.
func listing[T any](rows []T, in pageIn, none string) ([]T, paging, []string) {
	kept, p := pageOf(rows, in.or(defaultPerPage))
	kept, p.LeftOut = short(kept, mostBytes)
	if len(rows) == 0 {
		return kept, p, []string{none}
	}
	return kept, p, p.notes("")
}

type summaryOut struct {
	asked
	api.PromptSummary
	Notes []string `json:"notes,omitempty"`
}

func (o summaryOut) text() string {
	return o.asked.text() + fmt.Sprintf("\nvisibility: %s\nposition: %s\nrank: %s\ntotalCompetitors: %d\n",
		show(o.Visibility), show(o.Position), show(o.Rank), o.TotalCompetitors) + paragraphs(o.Notes)
}

func (r *reader) getSummary(ctx context.Context, in promptsIn) (o summaryOut, err error) {
	request, about, err := r.prompts(ctx, in)
	if err != nil {
		return o, err
	}
	summary, err := r.client.PromptSummary(ctx, about.ProductID, request)
	if err != nil {
		return o, r.explain(ctx, about.ProductID, err)
	}
	o = summaryOut{asked: about, PromptSummary: summary}
	switch {
	case summary.Visibility == nil:
		o.Notes = []string{noRuns}
	case summary.Position == nil:
		o.Notes = []string{"No answer of the period mentions the product, so it has neither position nor rank."}
	}
	return o, nil
}

type trendOut struct {
	asked
	paging
	Days  []api.DailyPromptMetric `json:"days"`
	Notes []string                `json:"notes,omitempty"`
}

func (o trendOut) text() string { return report(o.asked, o.Days, o.Notes, "domain") }

func (r *reader) getTrend(ctx context.Context, in promptsIn) (o trendOut, err error) {
	request, about, err := r.prompts(ctx, in)
	if err != nil {
		return o, err
	}
	rows, err := r.client.PromptDates(ctx, about.ProductID, request)
	if err != nil {
		return o, r.explain(ctx, about.ProductID, err)
	}
	o.asked = about
	o.Days, o.paging, o.Notes = listing(rows, in.pageIn, noRuns)
	return o, nil
}
