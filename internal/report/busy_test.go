package report

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// busySet has busy pages, and tells which windows are read from the visits, which
// have no rows.
type busySet struct {
	facts.Set
	facts.Reader
	rows  []facts.TotalsRow
	lacks bool
	read  []string
}

func (s *busySet) Has(facts.Table, int64, int64) bool { return !s.lacks }
func (s *busySet) Dialect() facts.Dialect             { return plain{} }
func (s *busySet) Table(t facts.Table, _ []string, _, _ int64) string {
	return string(t)
}
func (s *busySet) Within(_ facts.Table, first, last int64) string {
	s.read = append(s.read, window{first, last}.String())
	return "true"
}
func (s *busySet) Query(context.Context, facts.Statement, func(facts.Scan) error) error { return nil }
func (s *busySet) Few(context.Context, facts.VisitQuery, func(*facts.SeenVisit)) (bool, error) {
	return false, nil
}
func (s *busySet) Totals(_ context.Context, q facts.TotalsQuery, each func(*facts.TotalsRow)) error {
	if q.Table != facts.BusyPages {
		return errors.New("other totals are asked for")
	}
	for i := range s.rows {
		if r := &s.rows[i]; r.Bucket >= q.First && r.Bucket <= q.Last && (q.Page == "" || r.Path == q.Page) {
			each(r)
		}
	}
	return nil
}

// page is the totals of a page on a day.
func page(day, path string, bots int64) (r facts.TotalsRow) {
	r.Bucket, r.Path = at(day+" 00:00:00"), path
	r.Figures[facts.TotalBots] = bots
	return r
}

func items(p *TimeseriesPage) string {
	var all []string
	for _, i := range p.Items {
		path := ""
		if i.NormalizedURLPath != nil {
			path = *i.NormalizedURLPath
		}
		all = append(all, fmt.Sprint(i.Timestamp[8:10], path, " ", *i.BotVisits))
	}
	return strings.Join(all, ", ")
}

func busyPlan(first, last string) timeseriesPlan {
	return timeseriesPlan{
		window: window{at(first), at(last)}, WebsiteIDs: []string{"w"}, Limit: 100,
		Metrics: []string{"count(*)"}, Bucket: "ts",
	}
}

func TestAPageIsReadFromTheVisitsInWeeksInWhichItIsNotBusy(t *testing.T) {
	path := "/a"
	plan := busyPlan("2026-03-02 10:00:00", "2026-03-29 23:59:59") // four weeks, but for some hours
	plan.NormalizedURLPath = &path
	set := &busySet{rows: []facts.TotalsRow{page("2026-03-04", "/a", 7), page("2026-03-04", "/b", 8), page("2026-03-17", "/a", 9)}}
	p := &TimeseriesPage{req: api.TimeseriesRequest{Interval: api.Day, Metrics: []api.Metric{api.BotVisits}}}
	p.PerPage, p.CurrentPage = 100, 1
	ok, err := p.fromBusyPage(t.Context(), set, set, plan)
	if got := fmt.Sprint(ok, err, " ", items(p), " ", p.TotalItems, " ", set.read); got !=
		"true <nil> 04 7, 17 9 2 [02T10:00:00–02T23:59:59 09T00:00:00–15T23:59:59 23T00:00:00–29T23:59:59]" {
		t.Error(got)
	}
	set.lacks = true
	if ok, err := p.fromBusyPage(t.Context(), set, set, plan); ok || err != nil {
		t.Error("busy pages are used that are not there", err)
	}
}

func TestThePagesOfADayComeFromBusyOnesIfThoseAreSurelyFirst(t *testing.T) {
	busy := facts.BusyVisits
	for _, c := range []struct {
		name string
		rows []facts.TotalsRow
		want string
	}{
		{"they are", []facts.TotalsRow{page("2026-03-02", "/a", busy), page("2026-03-02", "/b", busy+1), page("2026-03-02", "/c", 3), page("2026-03-03", "/c", busy), page("2026-03-03", "/a", busy)},
			"true 02/b 101, 02/a 100, 03/a 100, 03/c 100"},
		{"another could be before them", []facts.TotalsRow{page("2026-03-02", "/a", busy-1), page("2026-03-02", "/b", busy+1), page("2026-03-03", "/c", busy), page("2026-03-03", "/a", busy)}, "false "},
		{"a day has too few", []facts.TotalsRow{page("2026-03-02", "/a", busy), page("2026-03-02", "/b", busy+1), page("2026-03-03", "/c", busy)}, "false "},
		{"a day has none", []facts.TotalsRow{page("2026-03-02", "/a", busy), page("2026-03-02", "/b", busy+1)}, "false "},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := busyPlan("2026-03-02 00:00:00", "2026-03-03 23:59:59")
			plan.Dimensions, plan.TopLimit = []string{column[api.ByNormalizedURLPath]}, 2
			set := &busySet{rows: c.rows}
			p := &TimeseriesPage{req: api.TimeseriesRequest{
				Interval: api.Day, Metrics: []api.Metric{api.BotVisits}, GroupBy: []api.Dimension{api.ByNormalizedURLPath}, TopLimit: 2,
			}}
			p.PerPage, p.CurrentPage, p.TotalItems = 100, 1, 4
			ok, err := p.topBusyPages(t.Context(), set, set, plan)
			if got := fmt.Sprint(ok, " ", items(p)); got != c.want || err != nil || p.TotalItems != 4 {
				t.Error(got, err, p.TotalItems)
			}
		})
	}
}

func TestBusyPagesAnswerOnlyWhatTheyHave(t *testing.T) {
	platform, page := []api.Dimension{api.ByPlatform}, []api.Dimension{api.ByURLPath}
	visits, people := []api.Metric{api.HumanVisits}, []api.Metric{api.UniqueHumanVisitors}
	for _, c := range []struct {
		name  string
		req   api.TimeseriesRequest
		level int
		ok    bool
	}{
		{"all of them", api.TimeseriesRequest{Metrics: people}, 0, true},
		{"by platform", api.TimeseriesRequest{Metrics: people, GroupBy: platform}, 1, true},
		{"by path", api.TimeseriesRequest{Metrics: people, GroupBy: page}, 0, false},
		{"of a platform", api.TimeseriesRequest{Metrics: people, Platforms: []string{"a"}}, 1, true},
		{"visits of two platforms", api.TimeseriesRequest{Metrics: visits, Platforms: []string{"a", "b"}}, 1, true},
		{"people of two platforms do not add up", api.TimeseriesRequest{Metrics: people, Platforms: []string{"a", "b"}}, 0, false},
		{"people by two platforms need not", api.TimeseriesRequest{Metrics: people, GroupBy: platform, Platforms: []string{"a", "b"}}, 1, true},
		{"of a bot type", api.TimeseriesRequest{Metrics: visits, BotTypes: []string{"a"}}, 0, false},
	} {
		if level, ok := busyLevel(c.req); ok != c.ok || ok && level != c.level {
			t.Errorf("%s: %d %v", c.name, level, ok)
		}
	}
}
