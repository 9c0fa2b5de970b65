package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// Prompts reports on each prompt and platform.
func (r *Reports) Prompts(ctx context.Context, primary catalog.Primary, req api.PromptsRequest) ([]api.PromptMetric, error) {
	t, err := r.tally(ctx, primary, req, facts.ByPromptAndPlatform)
	if err != nil {
		return nil, err
	}
	byPrompt := make(map[int64][]*facts.Tally, len(t.prompts))
	for _, of := range t.groups {
		same := byPrompt[of.Key]
		if same == nil {
			same = make([]*facts.Tally, 0, fewPlatforms)
		}
		byPrompt[of.Key] = append(same, of)
	}
	rows := make([]api.PromptMetric, 0, len(t.groups))
	twins := false
	for i, prompt := range t.prompts { // by text, then id
		labels := labelsOf(prompt)
		for _, of := range everyPlatform(t.selection, prompt, byPrompt[prompt.ID]) {
			rows = append(rows, promptMetric(t, prompt, labels, of))
		}
		twins = twins || i > 0 && t.prompts[i-1].Text == prompt.Text
	}
	if twins { // two prompts with the same text stand side by side, so their platforms are merged
		slices.SortStableFunc(rows, func(a, b api.PromptMetric) int {
			return cmp.Or(cmp.Compare(a.PromptText, b.PromptText), cmp.Compare(a.Platform, b.Platform))
		})
	}
	return rows, nil
}

// fewPlatforms is for how many platforms of a prompt there is room at first.
const fewPlatforms = 8

// everyPlatform lists where a prompt is tracked or was run (S7). A tally without
// answers stands for a platform without a run.
func everyPlatform(s selection, prompt *catalog.Prompt, ran []*facts.Tally) []*facts.Tally {
	all := ran
	for _, p := range prompt.Platforms {
		if s.wants(p) && !slices.ContainsFunc(ran, func(t *facts.Tally) bool { return t.Platform == p }) {
			all = append(all, &facts.Tally{Group: facts.Group{Key: prompt.ID, Platform: p}})
		}
	}
	slices.SortFunc(all, func(a, b *facts.Tally) int { return cmp.Compare(a.Platform, b.Platform) })
	return all
}

func promptMetric(t tallied, prompt *catalog.Prompt, labels []api.PromptLabel, of *facts.Tally) api.PromptMetric {
	st := t.standing(of)
	row := api.PromptMetric{
		PromptText: prompt.Text, Platform: of.Platform, Domain: prompt.Domain,
		Position: st.position, Visibility: st.visibility, Rank: st.rank,
		Labels: labels,
	}
	if of.Answers > 0 {
		row.RunCount = &of.Answers
	}
	return row
}

func labelsOf(prompt *catalog.Prompt) []api.PromptLabel {
	labels := make([]api.PromptLabel, 0, len(prompt.Labels))
	for _, l := range prompt.Labels {
		labels = append(labels, api.PromptLabel{ID: l.ID, Name: l.Name})
	}
	return labels
}

// PromptSummary pools all selected answers.
func (r *Reports) PromptSummary(ctx context.Context, primary catalog.Primary, req api.PromptsRequest) (api.PromptSummary, error) {
	t, err := r.tally(ctx, primary, req, facts.Together)
	if err != nil || len(t.groups) == 0 {
		return api.PromptSummary{}, err
	}
	of := t.groups[0]
	st := t.standing(of)
	summary := api.PromptSummary{Position: st.position, Visibility: st.visibility, Rank: st.rank}
	for place, mentions := range of.Mentions {
		if mentions > 0 && place != t.own {
			summary.TotalCompetitors++
		}
	}
	return summary, nil
}

// PromptDates reports on each day and platform with a run.
func (r *Reports) PromptDates(ctx context.Context, primary catalog.Primary, req api.PromptsRequest) ([]api.DailyPromptMetric, error) {
	t, err := r.tally(ctx, primary, req, facts.ByDayAndPlatform)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(t.groups, func(a, b *facts.Tally) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Platform, b.Platform))
	})
	rows := make([]api.DailyPromptMetric, 0, len(t.groups))
	for _, of := range t.groups {
		st := t.standing(of)
		rows = append(rows, api.DailyPromptMetric{
			Date: api.FormatTime(of.Key), Platform: of.Platform, Domain: t.domain,
			Visibility: st.visibility, Position: st.position, Rank: st.rank,
		})
	}
	return rows, nil
}
