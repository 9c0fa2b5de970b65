package oracle

import (
	"net/http"
	"slices"
	"sort"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// Prompts answers GET /v1/products/{productId}/prompts.
func (w *World) Prompts(teamID string, productID int64, r api.PromptsRequest) ([]api.PromptMetric, int) {
	p, status := w.open(teamID, productID, r)
	if status != http.StatusOK {
		return nil, status
	}
	rows := []api.PromptMetric{}
	for _, prompt := range selectedPrompts(p, r) {
		runs := w.runs([]Prompt{prompt}, r)
		for _, platform := range platformsOf(prompt, runs) {
			if platformWanted(platform, r.Platforms) {
				rows = append(rows, w.promptRow(p, prompt, platform, runs))
			}
		}
	}
	sort.Slice(rows, func(i, j int) bool {
		if rows[i].PromptText != rows[j].PromptText {
			return rows[i].PromptText < rows[j].PromptText
		}
		return rows[i].Platform < rows[j].Platform
	})
	return rows, http.StatusOK
}

// platformsOf are the platforms that the prompt is tracked on or was run on (S7).
func platformsOf(prompt Prompt, runs []Answer) []string {
	platforms := slices.Clone(prompt.Platforms)
	for _, a := range runs {
		if !slices.Contains(platforms, a.Platform) {
			platforms = append(platforms, a.Platform)
		}
	}
	return platforms
}

func (w *World) promptRow(p Product, prompt Prompt, platform string, runs []Answer) api.PromptMetric {
	var here []Answer
	for _, a := range runs {
		if a.Platform == platform {
			here = append(here, a)
		}
	}
	s := w.standingOf(p, here)
	row := api.PromptMetric{
		PromptText: prompt.Text, Platform: platform, Domain: prompt.Domain,
		Position: s.position, Visibility: s.visibility, Rank: s.rank,
		Labels: labelsOf(p, prompt),
	}
	if len(here) > 0 {
		count := int64(len(here))
		row.RunCount = &count
	}
	return row
}

func labelsOf(p Product, prompt Prompt) []api.PromptLabel {
	list := []api.PromptLabel{}
	for _, l := range p.Labels {
		if slices.Contains(prompt.Labels, l.ID) {
			list = append(list, api.PromptLabel{ID: l.ID, Name: l.Name})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}

// PromptSummary answers GET /v1/products/{productId}/prompts/summary.
func (w *World) PromptSummary(teamID string, productID int64, r api.PromptsRequest) (api.PromptSummary, int) {
	p, status := w.open(teamID, productID, r)
	if status != http.StatusOK {
		return api.PromptSummary{}, status
	}
	runs := w.runs(selectedPrompts(p, r), r)
	s := w.standingOf(p, runs)
	summary := api.PromptSummary{Position: s.position, Visibility: s.visibility, Rank: s.rank}
	for _, other := range w.comparison(p) {
		if other.ID != p.ID && len(positions(other.ID, runs)) > 0 {
			summary.TotalCompetitors++
		}
	}
	return summary, http.StatusOK
}

// PromptDates answers GET /v1/products/{productId}/prompts/dates.
func (w *World) PromptDates(teamID string, productID int64, r api.PromptsRequest) ([]api.DailyPromptMetric, int) {
	p, status := w.open(teamID, productID, r)
	if status != http.StatusOK {
		return nil, status
	}
	type key struct{ date, platform string }
	groups := map[key][]Answer{}
	for _, a := range w.runs(selectedPrompts(p, r), r) {
		k := key{stamp(startOfDay(a.At.Time)), a.Platform}
		groups[k] = append(groups[k], a)
	}
	rows := []api.DailyPromptMetric{}
	for k, answers := range groups {
		s := w.standingOf(p, answers)
		rows = append(rows, api.DailyPromptMetric{
			Date: k.date, Platform: k.platform, Domain: bareDomain(r.Domain),
			Visibility: s.visibility, Position: s.position, Rank: s.rank,
		})
	}
	sort.Slice(rows, func(i, j int) bool {
		if rows[i].Date != rows[j].Date {
			return rows[i].Date < rows[j].Date
		}
		return rows[i].Platform < rows[j].Platform
	})
	return rows, http.StatusOK
}

func startOfDay(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// startOfWeek is the Monday of the day's week.
func startOfWeek(t time.Time) time.Time {
	day := startOfDay(t)
	for day.Weekday() != time.Monday {
		day = day.AddDate(0, 0, -1)
	}
	return day
}

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05Z") }
