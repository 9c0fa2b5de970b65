package check

import (
	"slices"
	"strconv"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// exactOnWebsites are the metrics that add up over websites: a visitor and a
// page belong to one website (S18, S19).
var exactOnWebsites = append(slices.Clone(counts), api.UniqueHumanVisitors, api.UniquePages, api.UniqueHumanPages)

func weekIsSumOfDays(p *probe) {
	for _, q := range []query{
		p.visitQuery().metrics(api.Metrics...),
		p.visitQuery().metrics(api.Metrics...).by(api.ByPlatform),
	} {
		days, _ := p.whole(q)
		weeks, a := p.whole(q.weekly())
		key := func(i item) string { return mondayOf(i) + " " + i.text(string(api.ByPlatform)) }
		p.wantParts(a, weeks, days, key, counts)
	}
}

// partsAddUp compares a series with the same series by a dimension.
func partsAddUp(dimensions ...api.Dimension) func(*probe) {
	return func(p *probe) {
		q := p.visitQuery()
		if dimensions[0] != api.ByPlatform && dimensions[0] != api.ByBotType {
			q = p.lastDay()
		}
		q = q.metrics(api.Metrics...)
		whole, a := p.whole(q)
		for _, d := range dimensions {
			parts, _ := p.whole(q.by(d))
			p.wantParts(a, whole, parts, item.at, counts)
		}
	}
}

func websitesAddUp(p *probe) {
	q := p.visitQuery().metrics(api.Metrics...)
	whole, a := p.whole(q)
	var parts []item
	for _, website := range p.websites() {
		rows, _ := p.whole(q.with(api.ParamWebsiteID, website.WebsiteID))
		parts = append(parts, rows...)
	}
	p.wantParts(a, whole, parts, item.at, exactOnWebsites)
}

// A filter gives the rows of the grouping, no others.
func seriesFilters(p *probe) {
	for _, f := range []struct {
		parameter string
		dimension api.Dimension
	}{
		{api.ParamPlatforms, api.ByPlatform}, {api.ParamBotTypes, api.ByBotType}, {api.ParamURLPath, api.ByNormalizedURLPath},
	} {
		q := p.visitQuery()
		if f.dimension == api.ByNormalizedURLPath {
			q = p.lastDay()
		}
		q = q.metrics(api.Metrics...)
		grouped, _ := p.whole(q.by(f.dimension))
		for _, value := range someValues(grouped, f.dimension) {
			rows, a := p.whole(q.with(f.parameter, value))
			var want []item
			for _, row := range grouped {
				if row.text(string(f.dimension)) == value {
					want = append(want, row.without(string(f.dimension)))
				}
			}
			wantRows(p, a, rows, want)
		}
	}
}

// someValues returns the first and the last value of a dimension.
func someValues(rows []item, d api.Dimension) (values []string) {
	for _, row := range rows {
		values = append(values, row.text(string(d)))
	}
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) > 2 {
		values = []string{values[0], values[len(values)-1]}
	}
	return values
}

// Several values of a filter select what each selects.
func seriesFilterUnion(p *probe) {
	q := p.visitQuery().metrics(api.Metrics...).by(api.ByPlatform)
	grouped, _ := p.whole(q)
	values := someValues(grouped, api.ByPlatform)
	if len(values) < 2 {
		p.notApplicable("all visits are of one platform")
		return
	}
	rows, a := p.whole(q.with(api.ParamPlatforms, values[1], api.ParamPlatforms, values[0], api.ParamPlatforms, values[1]))
	wantRows(p, a, rows, filter(grouped, func(i item) bool { return slices.Contains(values, i.text(string(api.ByPlatform))) }))
}

const noSuch = "sightline-check-no-such-value"

// What matches nothing selects nothing.
func seriesNothing(p *probe) {
	for _, name := range []string{api.ParamWebsiteID, api.ParamPlatforms, api.ParamBotTypes, api.ParamURLPath} {
		value := noSuch
		if name == api.ParamURLPath {
			value = "/" + noSuch
		}
		answered, a := p.page(p.visitQuery().metrics(api.Metrics...).with(name, value))
		if answered.TotalItems != 0 || len(answered.Items) > 0 {
			p.failf(a, "%d rows, want none", answered.TotalItems)
		}
	}
}

// Two windows that touch give what the window of both gives.
func seriesWindows(p *probe) {
	q := p.visitQuery().metrics(api.Metrics...).by(api.ByPlatform)
	whole, a := p.whole(q)
	left, right, ok := halves(p.visitDays)
	if !ok {
		p.notApplicable("the window has no midnight to divide it at")
		return
	}
	first, _ := p.whole(q.within(left))
	second, _ := p.whole(q.within(right))
	wantRows(p, a, whole, slices.Concat(first, second))

	// In the middle of a day, counts add up and distinct counts have bounds.
	left.To, right.From = left.To.Add(12*time.Hour), right.From.Add(12*time.Hour)
	if right.From.After(right.To) {
		return
	}
	first, _ = p.whole(q.within(left))
	second, _ = p.whole(q.within(right))
	key := func(i item) string { return i.at() + " " + i.text(string(api.ByPlatform)) }
	p.wantParts(a, whole, slices.Concat(first, second), key, counts)
}

// halves divides a window at a midnight near its middle.
func halves(w api.Window) (left, right api.Window, ok bool) {
	middle := w.From.Add(w.To.Sub(w.From) / 2).UTC().Truncate(oneDay)
	if !middle.After(w.From) {
		middle = middle.Add(oneDay)
	}
	left = api.Window{From: w.From, To: middle.Add(-time.Second)}
	right = api.Window{From: middle, To: w.To}
	return left, right, !left.To.Before(left.From) && !right.To.Before(right.From)
}

// A window inside another never gives more.
func seriesNarrower(p *probe) {
	q := p.visitQuery().metrics(api.Metrics...)
	whole, _ := p.whole(q)
	inner := api.Window{From: p.visitDays.From.Add(36 * time.Hour), To: p.visitDays.To.Add(-36 * time.Hour)}
	if inner.To.Before(inner.From) {
		p.notApplicable("the window is too short to be made narrower")
		return
	}
	rows, a := p.whole(q.within(inner))
	outer := addUp(whole, item.at)
	for _, row := range rows {
		for _, m := range api.Metrics {
			if most := outer[row.at()].sum[m]; row.count(m) > most {
				p.failf(a, "%s: %s is %d, but %d in a wider window", row.at(), field(m), row.count(m), most)
			}
		}
	}
}

// A top-N is the first N rows of each bucket.
func seriesTopLimit(p *probe) {
	for _, q := range []query{
		p.visitQuery().metrics(api.BotVisits, api.UniquePages).by(api.ByBotType),
		p.visitQuery().metrics(api.HumanVisits).by(api.ByPlatform).weekly(),
	} {
		whole, _ := p.whole(q)
		for _, n := range []int{1, 3, maxRows} {
			limited := q.with(api.ParamTopLimit, strconv.Itoa(n))
			got, a := p.whole(limited)
			rows := make(map[string]int)
			want := filter(whole, func(i item) bool { rows[i.at()]++; return rows[i.at()] <= n })
			wantRows(p, a, got, want)
			if answered, _ := p.page(limited.page(1, maxRows)); !p.ended && answered.TotalItems != int64(len(want)) {
				p.failf(a, "totalItems is %d, but %d rows are left", answered.TotalItems, len(want))
			}
		}
	}
}

// Spellings of a path mean the same page.
func seriesPathSpellings(p *probe) {
	grouped, _ := p.whole(p.lastDay().metrics(api.Metrics...).by(api.ByNormalizedURLPath))
	paths := someValues(filter(grouped, func(i item) bool { return len(i.text(string(api.ByNormalizedURLPath))) > 1 }), api.ByNormalizedURLPath)
	if len(paths) == 0 {
		p.notApplicable("no visits but those of /")
		return
	}
	normal := paths[len(paths)-1]
	q := p.lastDay().metrics(api.Metrics...)
	want := p.ask(api.RouteTimeseries, q.with(api.ParamURLPath, normal))
	for _, spelling := range []string{"/" + normal + "/", "/." + normal + "/index.html", normal + "?a=b#c"} {
		p.wantSame(p.ask(api.RouteTimeseries, q.with(api.ParamURLPath, spelling)), want)
	}
}
