package check

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// reports are the routes that take parameters, and which.
var reports = []struct {
	route string
	once  []string // may be sent once
	lists []string
}{
	{api.RoutePrompts, promptOnce, promptLists},
	{api.RoutePromptSummary, promptOnce, promptLists},
	{api.RoutePromptDates, promptOnce, promptLists},
	{api.RouteCitations, append(slices.Clip(promptOnce), api.ParamGroupBy), promptLists},
	{api.RouteTimeseries, []string{
		api.ParamDateFrom, api.ParamDateTo, api.ParamWebsiteID, api.ParamInterval, api.ParamURLPath, api.ParamPage, api.ParamPerPage, api.ParamTopLimit,
	}, []string{api.ParamMetrics, api.ParamGroupBys, api.ParamPlatforms, api.ParamBotTypes}},
}

var (
	promptOnce  = []string{api.ParamDomain, api.ParamDateFrom, api.ParamDateTo}
	promptLists = []string{api.ParamPlatforms, api.ParamLabelIDs}
)

// right are values that no route refuses.
var right = map[string]string{
	api.ParamGroupBy: "all", api.ParamWebsiteID: noSuch, api.ParamInterval: "day", api.ParamURLPath: "/", api.ParamPage: "1",
	api.ParamPerPage: "1", api.ParamTopLimit: "1", api.ParamMetrics: "bot_visits", api.ParamGroupBys: "platform",
	api.ParamPlatforms: "openai", api.ParamBotTypes: "gptbot",
}

// bad wants the 400.
func (p *probe) bad(route string, rawQuery string) {
	a := p.send(request{method: http.MethodGet, target: p.path(route) + "?" + rawQuery, as: p.key})
	p.wantError(a, http.StatusBadRequest, api.MessageBadRequest)
}

func parametersRequired(p *probe) {
	for _, r := range reports {
		for _, name := range []string{api.ParamDomain, api.ParamDateFrom, api.ParamDateTo} {
			if slices.Contains(r.once, name) {
				p.bad(r.route, p.queryOf(r.route).without(name).String())
			}
		}
	}
}

func parametersEmpty(p *probe) {
	for _, r := range reports {
		for _, name := range slices.Concat(r.once, r.lists) {
			p.bad(r.route, p.queryOf(r.route).set(name, "").String())
		}
	}
}

func parametersTwice(p *probe) {
	for _, r := range reports {
		q := p.queryOf(r.route)
		for _, name := range r.once {
			value := right[name]
			for _, sent := range q {
				if sent.name == name {
					value = sent.value
				}
			}
			p.bad(r.route, q.set(name, value).with(name, value).String())
		}
	}
}

func parametersLists(p *probe) {
	for _, wrong := range []struct{ route, name, value string }{
		{api.RouteCitations, api.ParamGroupBy, noSuch}, {api.RouteCitations, api.ParamGroupBy, "Page"},
		{api.RouteTimeseries, api.ParamInterval, "month"}, {api.RouteTimeseries, api.ParamInterval, "Day"},
		{api.RouteTimeseries, api.ParamMetrics, noSuch}, {api.RouteTimeseries, api.ParamMetrics, "botVisits"},
		{api.RouteTimeseries, api.ParamMetrics, "bot_visits,human_visits"},
		{api.RouteTimeseries, api.ParamGroupBys, noSuch}, {api.RouteTimeseries, api.ParamGroupBys, "bot_type"},
	} {
		p.bad(wrong.route, p.queryOf(wrong.route).with(wrong.name, wrong.value).String())
	}
	// A wrong value among right ones.
	p.bad(api.RouteTimeseries, p.visitQuery().metrics(api.BotVisits).with(api.ParamMetrics, noSuch).String())
}

func parametersNumbers(p *probe) {
	for _, name := range []string{api.ParamPage, api.ParamPerPage, api.ParamTopLimit} {
		for _, value := range []string{"0", "-1", "x", "1.5"} {
			p.bad(api.RouteTimeseries, p.visitQuery().with(name, value).String())
		}
	}
}

func parametersLabels(p *probe) {
	for _, route := range promptRoutes {
		for _, value := range []string{"x", "1.5", "9007199254740991"} {
			p.bad(route, p.promptQuery().with(api.ParamLabelIDs, value).String())
		}
	}
	if ids := p.labels(); len(ids) > 0 {
		p.bad(api.RoutePrompts, p.promptQuery().with(api.ParamLabelIDs, show(ids[0]), api.ParamLabelIDs, "9007199254740991").String())
	}
}

func parametersEscapes(p *probe) {
	for _, r := range reports {
		p.bad(r.route, p.queryOf(r.route).String()+"&"+r.once[0]+"=%zz")
	}
	p.bad(api.RoutePrompts, p.promptQuery().without(api.ParamDomain).String()+"&domain=%ff")
}

var malformedTimes = []string{
	"2026-03-01", "yesterday", "1772323200", "2026-03-01T10:00:00", "2026-02-30T00:00:00Z", "2026-03-01T25:00:00Z", "2026-03-01T10:00Z",
}

func parametersTimes(p *probe) {
	for i, value := range malformedTimes {
		for j, r := range reports {
			if (i+j)%2 == 0 { // each value on some routes, each route with some values
				name := []string{api.ParamDateFrom, api.ParamDateTo}[i/2%2]
				p.bad(r.route, p.queryOf(r.route).set(name, value).String())
			}
		}
	}
}

func parametersOrderOfTimes(p *probe) {
	for _, r := range reports {
		q := p.queryOf(r.route)
		p.bad(r.route, q.set(api.ParamDateFrom, "2026-03-02T00:00:00Z").set(api.ParamDateTo, "2026-03-01T23:59:59Z").String())
	}
}

// All 400 have the same bytes.
func parametersSame(p *probe) {
	var first answer
	for _, target := range []string{
		p.path(api.RoutePrompts), p.path(api.RouteTimeseries) + "?page=0", p.path(api.RouteCitations) + "?groupBy=" + noSuch,
		p.promptQuery().with(api.ParamLabelIDs, "9007199254740991").at(p.path(api.RoutePromptSummary)),
	} {
		a := p.send(request{method: http.MethodGet, target: target, as: p.key})
		p.wantError(a, http.StatusBadRequest, api.MessageBadRequest)
		if first.status == 0 {
			first = a
		}
		p.wantSame(a, first)
	}
}

func parametersUnknown(p *probe) {
	for _, route := range api.Routes {
		q := p.queryOf(route)
		p.wantSame(p.get(q.with("colour", "red", "colour", "", "metrics", noSuch).at(p.path(route))), p.get(q.at(p.path(route))))
	}
}

// A list means the same whether its brackets are escaped or not.
func parametersBrackets(p *probe) {
	q := p.visitQuery().metrics(api.BotVisits, api.HumanVisits).by(api.ByPlatform)
	plain := strings.ReplaceAll(q.String(), "%5B%5D", "[]")
	got, want := p.get(p.path(api.RouteTimeseries)+"?"+plain), p.ask(api.RouteTimeseries, q)
	if !p.ended && got.text() != want.text() {
		p.failf(got, "with plain brackets %s, with escaped ones %s", excerpt(got.body), excerpt(want.body))
	}
}

// The values of a list count once.
func parametersRepeated(p *probe) {
	q := p.visitQuery()
	p.wantSame(
		p.ask(api.RouteTimeseries, q.metrics(api.HumanVisits, api.BotVisits, api.HumanVisits).by(api.ByPlatform, api.ByPlatform)),
		p.ask(api.RouteTimeseries, q.metrics(api.HumanVisits, api.BotVisits).by(api.ByPlatform)))
	for _, route := range promptRoutes {
		once := p.promptQuery().with(api.ParamPlatforms, "openai")
		p.wantSame(p.ask(route, once.with(api.ParamPlatforms, "openai")), p.ask(route, once))
	}
}

// What is left out has its default.
func parametersDefaults(p *probe) {
	q := p.visitQuery()
	want := p.ask(api.RouteTimeseries, q.with(
		api.ParamInterval, "day", api.ParamMetrics, "bot_visits", api.ParamPage, "1", api.ParamPerPage, "20"))
	p.wantSame(p.ask(api.RouteTimeseries, q), want)
	c := p.promptQuery()
	p.wantSame(p.ask(api.RouteCitations, c), p.ask(api.RouteCitations, c.with(api.ParamGroupBy, "all")))
}

// Spellings of one instant mean the same.
func parametersInstants(p *probe) {
	for _, r := range reports {
		q, w := p.queryOf(r.route), p.answerDays
		if r.route == api.RouteTimeseries {
			w = p.visitDays
		}
		want := p.get(q.at(p.path(r.route)))
		for _, spell := range []func(time.Time) string{
			func(t time.Time) string { return t.In(time.FixedZone("", 3600)).Format(time.RFC3339Nano) },
			func(t time.Time) string { return strings.ToLower(t.UTC().Format("2006-01-02T15:04:05.000000000Z")) },
			func(t time.Time) string {
				return t.In(time.FixedZone("", -8*3600)).Format("2006-01-02t15:04:05.999999999-07:00")
			},
			func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999999999") + "-00:00" },
		} {
			same := q.set(api.ParamDateFrom, spell(w.From)).set(api.ParamDateTo, spell(w.To))
			p.wantSame(p.get(same.at(p.path(r.route))), want)
		}
	}
	// Leap seconds end a month.
	q := p.visitQuery().set(api.ParamDateFrom, "2026-03-31T00:00:00Z")
	p.wantSame(
		p.ask(api.RouteTimeseries, q.set(api.ParamDateTo, "2026-03-31T23:59:60Z")),
		p.ask(api.RouteTimeseries, q.set(api.ParamDateTo, "2026-03-31T23:59:59Z")))
}
