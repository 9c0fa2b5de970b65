package check

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// Rows have the fields that were asked for, all of them and no others.
func seriesFields(p *probe) {
	for _, asked := range []struct {
		metrics    []api.Metric
		dimensions []api.Dimension
	}{
		{nil, nil},
		{api.Metrics, nil},
		{api.Metrics[:1], api.Dimensions[:1]},
		{[]api.Metric{api.UniquePages, api.HumanVisits}, []api.Dimension{api.ByURLPathDirectory, api.ByBotType}},
		{api.Metrics, api.Dimensions},
	} {
		want := []string{"timestamp"}
		for _, d := range asked.dimensions {
			want = append(want, string(d))
		}
		for _, m := range asked.metrics {
			want = append(want, field(m))
		}
		if asked.metrics == nil {
			want = append(want, field(api.Metrics[0])) // the default
		}
		slices.Sort(want)
		answered, a := p.page(p.visitQuery().metrics(asked.metrics...).by(asked.dimensions...).page(1, 50))
		for _, row := range answered.Items {
			if got := sortedKeys(row); !slices.Equal(got, want) {
				p.failf(a, "a row has the fields %s, want %s", strings.Join(got, ", "), strings.Join(want, ", "))
			}
		}
	}
}

func seriesOrder(p *probe) {
	orders := []struct {
		metrics    []api.Metric
		dimensions []api.Dimension
	}{
		{[]api.Metric{api.BotVisits}, nil},
		{[]api.Metric{api.BotVisits, api.HumanVisits}, []api.Dimension{api.ByPlatform}},
		{[]api.Metric{api.HumanVisits, api.BotVisits}, []api.Dimension{api.ByBotType, api.ByPlatform}},
		{[]api.Metric{api.UniquePages}, []api.Dimension{api.ByPlatform, api.ByBotType}},
	}
	for _, o := range orders {
		rows, a := p.whole(p.visitQuery().metrics(o.metrics...).by(o.dimensions...))
		wantOrder(p, a, rows, func(x, y item) int { return compareItems(x, y, o.metrics[0], o.dimensions) })
	}
	page, a := p.page(p.lastDay().metrics(api.BotVisits).by(api.ByNormalizedURLPath, api.ByURLPath).page(1, 500))
	wantOrder(p, a, page.Items, func(x, y item) int {
		return compareItems(x, y, api.BotVisits, []api.Dimension{api.ByNormalizedURLPath, api.ByURLPath})
	})
}

func compareItems(x, y item, first api.Metric, dimensions []api.Dimension) int {
	order := cmp.Or(cmp.Compare(x.at(), y.at()), cmp.Compare(y.count(first), x.count(first)))
	for _, d := range dimensions {
		order = cmp.Or(order, cmp.Compare(x.text(string(d)), y.text(string(d))))
	}
	return order
}

// lastDay selects the last day with visits: paths are many.
func (p *probe) lastDay() query {
	rows, _ := p.whole(p.visitQuery().metrics(api.Metrics...))
	if len(rows) == 0 {
		return p.visitQuery()
	}
	day, err := api.ParseTime(rows[len(rows)-1].at())
	if err != nil {
		return p.visitQuery()
	}
	return query{}.within(clip(p.visitDays, day.UTC(), day.UTC().Add(oneDay-time.Second)))
}

// Buckets start on days or Mondays, lie in the window, and have each row once.
func seriesBuckets(p *probe) {
	first, last := p.visitDays.From.UTC().Truncate(oneDay), p.visitDays.To.UTC()
	for _, q := range []query{p.visitQuery(), p.visitQuery().weekly()} {
		rows, a := p.whole(q.metrics(api.Metrics...).by(api.ByPlatform))
		for _, row := range rows {
			at, err := api.ParseTime(row.at())
			start := first
			if slices.Equal(q, p.visitQuery().weekly()) {
				start = monday(first)
				if at.UTC().Weekday() != time.Monday {
					p.failf(a, "%s is no Monday", row.at())
				}
			}
			if err != nil || !at.Equal(at.UTC().Truncate(oneDay)) || at.Before(start) || at.After(last) {
				p.failf(a, "%q is no bucket of the window", row.at())
			}
		}
		wantDistinct(p, a, rows, func(i item) string { return i.at() + " " + i.text(string(api.ByPlatform)) })
	}
}

func monday(t time.Time) time.Time {
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
}

// mondayOf is the week of a row, written as the rows are.
func mondayOf(i item) string {
	at, err := api.ParseTime(i.at())
	if err != nil {
		return i.at()
	}
	return api.FormatTime(monday(at.UTC()).Unix())
}

func seriesSparse(p *probe) {
	for _, metrics := range [][]api.Metric{{api.BotVisits}, {api.AIReferredHumanVisits, api.UniquePages}} {
		rows, a := p.whole(p.visitQuery().metrics(metrics...).by(api.ByPlatform, api.ByBotType))
		for _, row := range rows {
			if !slices.ContainsFunc(metrics, func(m api.Metric) bool { return row.count(m) > 0 }) {
				p.failf(a, "all metrics of a row are 0: %s", show(row))
			}
		}
	}
}

// A metric has the same value whatever it is asked with.
func seriesMetricsAlone(p *probe) {
	together, _ := p.whole(p.visitQuery().metrics(api.Metrics...).by(api.ByPlatform))
	key := func(i item) string { return i.at() + " " + i.text(string(api.ByPlatform)) }
	values := addUp(together, key)
	for _, m := range []api.Metric{api.BotVisits, api.ReferredHumanVisits, api.UniqueHumanVisitors, api.UniquePages} {
		alone, a := p.whole(p.visitQuery().metrics(m).by(api.ByPlatform))
		some := filter(together, func(i item) bool { return i.count(m) > 0 })
		if len(alone) != len(some) {
			p.failf(a, "%d rows, but %d rows have %s when all metrics are asked for", len(alone), len(some), field(m))
		}
		for _, row := range alone {
			if want := values[key(row)].sum[m]; row.count(m) != want {
				p.failf(a, "%s: %s is %d alone and %d among all metrics", key(row), field(m), row.count(m), want)
			}
		}
	}
}

// What the metrics mean sets bounds between them.
func seriesBounds(p *probe) {
	rows, a := p.whole(p.visitQuery().metrics(api.Metrics...).by(api.ByPlatform, api.ByBotType))
	for _, row := range rows {
		for _, b := range []struct{ less, more api.Metric }{
			{api.ReferredHumanVisits, api.HumanVisits}, {api.AIReferredHumanVisits, api.ReferredHumanVisits},
			{api.UniqueHumanVisitors, api.HumanVisits}, {api.UniqueHumanPages, api.HumanVisits},
			{api.UniqueHumanPlatforms, api.AIReferredHumanVisits}, {api.UniquePages, api.BotVisits}, {api.BotUserAgents, api.BotVisits},
		} {
			if row.count(b.less) > row.count(b.more) {
				p.failf(a, "%s is more than %s: %s", field(b.less), field(b.more), show(row))
			}
		}
		for _, m := range []api.Metric{api.UniqueHumanVisitors, api.UniqueHumanPages} {
			if row.count(m) == 0 && row.count(api.HumanVisits) > 0 {
				p.failf(a, "visits of humans, but %s is 0: %s", field(m), show(row))
			}
		}
		for _, m := range []api.Metric{api.UniquePages, api.BotUserAgents} {
			if row.count(m) == 0 && row.count(api.BotVisits) > 0 {
				p.failf(a, "visits of bots, but %s is 0: %s", field(m), show(row))
			}
		}
	}
}

// Bots have a bot type, humans have none.
func seriesBotsAndHumans(p *probe) {
	rows, a := p.whole(p.visitQuery().metrics(api.BotVisits, api.HumanVisits).by(api.ByPlatform, api.ByBotType))
	for _, row := range rows {
		human := row.text(string(api.ByBotType)) == api.BotTypeNone
		if human && row.count(api.BotVisits) > 0 || !human && row.count(api.HumanVisits) > 0 {
			p.failf(a, "bot type and visits do not agree: %s", show(row))
		}
	}
}

// The directory is the parent of the normalized path, which stays normal.
func seriesDirectories(p *probe) {
	answered, a := p.page(p.lastDay().metrics(api.BotVisits, api.HumanVisits).by(api.ByNormalizedURLPath, api.ByURLPathDirectory).page(1, 500))
	for _, row := range answered.Items {
		normal, directory := row.text(string(api.ByNormalizedURLPath)), row.text(string(api.ByURLPathDirectory))
		if path.Dir(normal) != directory {
			p.failf(a, "%q is not the parent of %q", directory, normal)
		}
	}
	if len(answered.Items) == 0 {
		p.notApplicable(fmt.Sprintf("no paths on the last day of %s", p.visitQuery()))
	}
}
