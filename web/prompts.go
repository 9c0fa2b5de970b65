package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

// promptsPage lists prompts: one row each, or one for each platform of each.
type promptsPage struct {
	form       filters
	List       section
	ByPlatform bool
	Columns    []sortLink
	Rows       []promptRow
	Pager      pager
	all        []promptRow
	now        []api.PromptMetric
}

func (p *promptsPage) filters() filters { return p.form }

func loadPrompts(v *visit) content {
	rows, earlier := v.prompts(v.promptsRequest(v.Window)), v.prompts(v.promptsRequest(v.Before))
	chosen, days := v.askChoices(rows), v.dates(v.bothPeriods())
	v.work.Wait()
	p := &promptsPage{form: v.promptFilters(chosen), ByPlatform: v.View == "platform", now: rows.Value}
	p.form.Covered = v.runsCovered(days)
	p.List = sectionOf("prompts", "Prompts", rows, earlier)
	p.all = promptRows(rows.Value, earlier.Value, p.ByPlatform)
	p.List.Empty = len(p.all) == 0
	p.Columns = sortPrompts(v.state, p.all, p.ByPlatform)
	p.Rows, p.Pager = paged(v.state, p.all)
	return p
}

// promptOrder compares rows by a column; unknown values come last in both directions.
type promptOrder struct {
	key, title string
	compare    func(a, b promptRow) int
	known      func(promptRow) bool
	numeric    bool
	words      bool
}

func by[T cmp.Ordered](key, title string, value func(promptRow) *T) promptOrder {
	return promptOrder{
		key: key, title: title, numeric: true,
		compare: func(a, b promptRow) int { return cmp.Compare(*value(a), *value(b)) },
		known:   func(r promptRow) bool { return value(r) != nil },
	}
}

// byChange is a figure that is shown in words, and so stands on the left.
func byChange() promptOrder {
	o := by("change", "Change", func(r promptRow) *float64 { return insight.Difference(r.Now.Visibility, r.Before.Visibility) })
	o.words = true
	return o
}

func byText(key, title string, value func(promptRow) string) promptOrder {
	return promptOrder{
		key: key, title: title,
		compare: func(a, b promptRow) int {
			return strings.Compare(strings.ToLower(value(a)), strings.ToLower(value(b)))
		},
		known: func(promptRow) bool { return true },
	}
}

func promptOrders(byPlatform bool) []promptOrder {
	second := by("platforms", "Platforms", func(r promptRow) *int { return &r.Platforms })
	if byPlatform {
		second = byText("platform", "Platform", func(r promptRow) string { return platformName(r.Platform) })
	}
	return []promptOrder{
		byText("prompt", "Prompt", func(r promptRow) string { return r.Text }),
		second,
		by("visibility", "Visibility", func(r promptRow) *float64 { return r.Now.Visibility }),
		byChange(),
		by("position", "Position", func(r promptRow) *float64 { return r.Now.Position }),
		by("rank", "Rank", func(r promptRow) *int64 { return r.Now.Best }),
		by("runs", "Answers", func(r promptRow) *int64 { return r.Now.Runs }),
	}
}

// sortLink is a column's heading: a link that sorts by it, or turns the order.
type sortLink struct {
	Title, Link, Sorted string // Sorted: ascending, descending or nothing
	Numeric             bool
}

// sortPrompts sorts rows in place and returns the headings.
func sortPrompts(s *state, rows []promptRow, byPlatform bool) (links []sortLink) {
	orders := promptOrders(byPlatform)
	current := slices.IndexFunc(orders, func(o promptOrder) bool { return o.key == s.Sort })
	for i, o := range orders {
		l := sortLink{Title: o.title, Numeric: o.numeric && !o.words}
		turn := i == current && !s.Down
		if i == current {
			l.Sorted = map[bool]string{true: "descending", false: "ascending"}[s.Down]
		}
		// Figures are most wanted from the top, names from A.
		down := turn || i != current && o.numeric && o.key != "position" && o.key != "rank"
		l.Link = s.Link("sort", o.key, "order", map[bool]string{true: "down", false: "up"}[down])
		links = append(links, l)
	}
	if current < 0 {
		return links
	}
	o := orders[current]
	slices.SortStableFunc(rows, func(a, b promptRow) int {
		switch {
		case !o.known(a) || !o.known(b):
			return compareBool(o.known(b), o.known(a))
		case s.Down:
			return o.compare(b, a)
		}
		return o.compare(a, b)
	})
	return links
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// compareNil puts what is unknown below everything else.
func compareNil(a, b *float64) int {
	if a == nil || b == nil {
		return compareBool(a != nil, b != nil)
	}
	return cmp.Compare(*a, *b)
}
