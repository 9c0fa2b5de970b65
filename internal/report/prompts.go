package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
)

// Prompts reports on each prompt and platform.
func (r *Reports) Prompts(ctx context.Context, primary catalog.Primary, req api.PromptsRequest) ([]api.PromptMetric, error) {
	s, all, err := r.tally(ctx, primary, req, groupPrompt, platformEach)
	if err != nil {
		return nil, err
	}
	platforms := make(map[int64][]string, len(s.prompts))
	for g := range all {
		platforms[g.key] = append(platforms[g.key], g.platform)
	}
	rows := []api.PromptMetric{}
	for _, prompt := range s.prompts { // by text, then id
		for _, platform := range platformsOf(s, prompt, platforms[prompt.ID]) {
			rows = append(rows, promptMetric(s, prompt, platform, all[group{prompt.ID, platform}]))
		}
	}
	// Two prompts with the same text stand side by side, so platforms must be merged.
	slices.SortStableFunc(rows, func(a, b api.PromptMetric) int {
		return cmp.Or(cmp.Compare(a.PromptText, b.PromptText), cmp.Compare(a.Platform, b.Platform))
	})
	return rows, nil
}

// platformsOf lists where a prompt is tracked or was run (S7).
func platformsOf(s selection, prompt *catalog.Prompt, ran []string) []string {
	platforms := slices.Clone(ran)
	for _, p := range prompt.Platforms {
		if s.wants(p) {
			platforms = append(platforms, p)
		}
	}
	slices.Sort(platforms)
	return slices.Compact(platforms)
}

func promptMetric(s selection, prompt *catalog.Prompt, platform string, t *tally) api.PromptMetric {
	st := t.standing(s.product.ID)
	row := api.PromptMetric{
		PromptText: prompt.Text, Platform: platform, Domain: prompt.Domain,
		Position: st.position, Visibility: st.visibility, Rank: st.rank,
		Labels: make([]api.PromptLabel, 0, len(prompt.Labels)),
	}
	if t != nil {
		row.RunCount = &t.runs
	}
	for _, l := range prompt.Labels {
		row.Labels = append(row.Labels, api.PromptLabel{ID: l.ID, Name: l.Name})
	}
	return row
}

// PromptSummary pools all selected answers.
func (r *Reports) PromptSummary(ctx context.Context, primary catalog.Primary, req api.PromptsRequest) (api.PromptSummary, error) {
	s, all, err := r.tally(ctx, primary, req, groupAll, platformAll)
	if err != nil {
		return api.PromptSummary{}, err
	}
	t := all[group{}]
	st := t.standing(s.product.ID)
	summary := api.PromptSummary{Position: st.position, Visibility: st.visibility, Rank: st.rank}
	if t != nil {
		summary.TotalCompetitors = int64(len(t.products))
		if _, mentioned := t.products[s.product.ID]; mentioned {
			summary.TotalCompetitors--
		}
	}
	return summary, nil
}

// PromptDates reports on each day and platform with a run.
func (r *Reports) PromptDates(ctx context.Context, primary catalog.Primary, req api.PromptsRequest) ([]api.DailyPromptMetric, error) {
	s, all, err := r.tally(ctx, primary, req, bucketSQL[api.Day], platformEach)
	if err != nil {
		return nil, err
	}
	groups := make([]group, 0, len(all))
	for g := range all {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.platform, b.platform))
	})
	rows := make([]api.DailyPromptMetric, 0, len(groups))
	for _, g := range groups {
		st := all[g].standing(s.product.ID)
		rows = append(rows, api.DailyPromptMetric{
			Date: api.FormatTime(g.key), Platform: g.platform, Domain: s.domain,
			Visibility: st.visibility, Position: st.position, Rank: st.rank,
		})
	}
	return rows, nil
}

// tally plans, runs and collects a report on prompts.
func (r *Reports) tally(ctx context.Context, primary catalog.Primary, req api.PromptsRequest, by, platform string) (selection, map[group]*tally, error) {
	s, err := selectAnswers(primary, req)
	if err != nil {
		return s, nil, err
	}
	set, err := r.Facts.Acquire()
	if err != nil {
		return s, nil, err
	}
	defer set.Close()
	plan := s.plan()
	plan.Group, plan.Platform = by, platform
	all, err := tallies(ctx, set, plan)
	return s, all, err
}
