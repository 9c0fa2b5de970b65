package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

// maxSteps bounds the calls behind the trend of one prompt, and stepsAtOnce how
// many of them run side by side.
const (
	maxSteps    = 14
	stepsAtOnce = 2
)

// promptPage is one prompt, platform by platform and step by step.
type promptPage struct {
	form     filters
	Text     string
	Labels   []api.PromptLabel
	Back     string
	Head     section
	Tiles    []tile
	List     section
	Rows     []promptRow
	Trend    section
	Steps    []step
	StepData chart
	now      []api.PromptMetric
}

// step is a part of the period: a day, a week, or longer.
type step struct {
	Window api.Window
	Now    standing
}

func (p *promptPage) filters() filters { return p.form }

func loadPrompt(v *visit) content {
	rows, earlier := v.prompts(v.promptsRequest(v.Window)), v.prompts(v.promptsRequest(v.Before))
	steps := v.askSteps()
	chosen, days := v.askChoices(rows), v.dates(v.bothPeriods())
	v.work.Wait()

	p := &promptPage{form: v.promptFilters(chosen), Text: v.Prompt, Back: v.toPage("/prompts")}
	p.form.Covered = v.runsCovered(days)
	p.now = v.ofPrompt(rows.Value)
	before := v.ofPrompt(earlier.Value)
	now, then := pool(p.now), pool(before)
	p.Head = sectionOf("summary", "At a glance", rows, earlier)
	p.Head.File, p.Head.Empty = "", now.Runs == nil
	if len(p.now) > 0 {
		p.Labels = p.now[0].Labels
	}
	p.Tiles = promptTiles(now, then)
	p.List = sectionOf("platforms", "By platform", rows, earlier)
	p.Rows = promptRows(p.now, before, true)
	p.List.Empty = len(p.Rows) == 0
	p.Trend = sectionOf("steps", "Over time", steps)
	p.Steps = steps.Value
	p.StepData = stepChart(steps.Value)
	p.Trend.Empty = now.Runs == nil
	return p
}

func promptTiles(now, before standing) []tile {
	tiles := summaryTiles(api.PromptSummary{Visibility: now.Visibility, Position: now.Position}, api.PromptSummary{Visibility: before.Visibility, Position: before.Position}, now, before)
	return append(tiles[:2], tile{Label: "Answers", Value: countOf(now.Runs), Was: countOf(before.Runs), Note: "runs of this prompt in the period"})
}

func (v *visit) ofPrompt(rows []api.PromptMetric) (own []api.PromptMetric) {
	for _, r := range rows {
		if r.PromptText == v.Prompt {
			own = append(own, r)
		}
	}
	return own
}

// askSteps asks for the prompts of each step: the API has no days of a single
// prompt, but a short period is as good.
func (v *visit) askSteps() *part[[]step] {
	return ask(v, func(ctx context.Context, c *client.Client) ([]step, error) {
		windows := stepsOf(v.Window)
		steps, errs := make([]step, len(windows)), make(chan error, len(windows))
		slots := make(chan struct{}, stepsAtOnce)
		for i, w := range windows {
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				rows, err := c.Prompts(ctx, v.product.ID, v.promptsRequest(w))
				steps[i] = step{w, pool(v.ofPrompt(rows))}
				errs <- err
			}()
		}
		var failed error
		for range windows {
			failed = cmp.Or(failed, <-errs)
		}
		return steps, failed
	})
}

// stepsOf cuts a period into whole days or weeks, counted back from its end so
// that the newest step is a whole one.
func stepsOf(w api.Window) (all []api.Window) {
	days := int(w.To.Sub(w.From).Hours()/24) + 1
	length := 1
	if days > maxSteps {
		length = 7 * ((days + 7*maxSteps - 1) / (7 * maxSteps))
	}
	for to := w.To; !to.Before(w.From); {
		from := to.Add(time.Second).AddDate(0, 0, -length)
		if from.Before(w.From) {
			from = w.From
		}
		all = append(all, api.Window{From: from, To: to})
		to = from.Add(-time.Second)
	}
	slices.Reverse(all)
	return all
}

func stepChart(steps []step) chart {
	c := chart{ID: "steps-data", Unit: "percent", Caption: "Visibility of this prompt over time", Columns: []column{{"visibility", "Visibility"}, {"low", "at least"}, {"high", "at most"}}}
	for _, s := range steps {
		r := chartRow{Time: s.Window.From.UTC(), Cells: []*float64{s.Now.Visibility, nil, nil}}
		if i := s.Now.Interval(); i != nil {
			r.Cells[1], r.Cells[2] = &i.Low, &i.High
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}
