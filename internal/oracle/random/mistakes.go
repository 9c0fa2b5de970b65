package random

import (
	"strconv"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/oracle"
)

// mistake makes the parameters of a question wrong: 400.
type mistake struct {
	name  string
	apply func(t *rapid.T, w *oracle.World, q *question)
}

// mistakesOf lists what can be done wrong on a route that takes parameters.
func mistakesOf(q question) []mistake {
	list := []mistake{
		{"required parameter missing", dropRequired},
		{"empty value", emptyValue},
		{"sent twice", sendTwice},
		{"malformed date", malformedDate},
		{"dateFrom after dateTo", fromAfterTo},
	}
	if q.asksPrompts() {
		list = append(list, mistake{"label", wrongLabel})
	}
	if q.route == api.RouteCitations {
		list = append(list, wrongValue("groupBy", "domain", "All", "by_page", "byproperty", "pages"))
	}
	if q.route == api.RouteTimeseries {
		list = append(list,
			wrongValue("interval", "month", "hour", "Day", "1d"),
			wrongListValue("metrics[]", "visits", "botVisits", "BOT_VISITS", "bot_visits,human_visits"),
			wrongListValue("groupBy[]", "path", "bot_type", "Platform", "platform,botType"),
			mistake{"number", wrongNumber},
		)
	}
	return list
}

func (q question) required() []string {
	if q.asksPrompts() {
		return []string{"domain", "dateFrom", "dateTo"}
	}
	return []string{"dateFrom", "dateTo"}
}

// singles are the parameters that may be sent once, with a value that is right.
func (q question) singles() map[string]string {
	singles := map[string]string{"dateFrom": "2026-03-01T00:00:00Z", "dateTo": "2026-03-01T00:00:00Z"}
	if q.asksPrompts() {
		singles["domain"] = q.product.Domain
	}
	if q.route == api.RouteCitations {
		singles["groupBy"] = "page"
	}
	if q.route == api.RouteTimeseries {
		for name, value := range map[string]string{
			"websiteId": "w-1", "interval": "day", "urlPath": "/", "page": "1", "perPage": "20", "topLimit": "3",
		} {
			singles[name] = value
		}
	}
	return singles
}

func (q question) lists() []string {
	if q.asksPrompts() {
		return []string{"platforms[]", "labelIds[]"}
	}
	return []string{"platforms[]", "botTypes[]", "metrics[]", "groupBy[]"}
}

func dropRequired(t *rapid.T, _ *oracle.World, q *question) { q.params.drop(pick(t, q.required())) }

func emptyValue(t *rapid.T, _ *oracle.World, q *question) {
	if percent(t, 40) {
		q.params.add(pick(t, q.lists()), "")
		return
	}
	q.params.set(pick(t, sortedKeys(q.singles())), "")
}

func sendTwice(t *rapid.T, _ *oracle.World, q *question) {
	singles := q.singles()
	name := pick(t, sortedKeys(singles))
	if len(q.params.get(name)) == 0 {
		q.params.add(name, singles[name])
	}
	q.params.add(name, q.params.get(name)[0])
}

func malformedDate(t *rapid.T, _ *oracle.World, q *question) {
	q.params.set(pick(t, []string{"dateFrom", "dateTo"}), pick(t, badTimes))
}

func fromAfterTo(t *rapid.T, _ *oracle.World, q *question) {
	from := day(2026, 3, 1).Add(time.Duration(upTo(t, daySeconds)) * time.Second)
	q.params.set("dateFrom", rfc3339(t, from, ".5"))
	q.params.set("dateTo", rfc3339(t, from, pick(t, []string{"", ".0", ".4", ".499999999"})))
}

func wrongLabel(t *rapid.T, w *oracle.World, q *question) {
	wrong := []string{"abc", "1.5", "-1", "1,2", "999999", "99999999999999999999"}
	for _, p := range w.Catalog {
		for _, l := range p.Labels {
			if !hasLabel(q.product, l.ID) {
				wrong = append(wrong, strconv.FormatInt(l.ID, 10))
			}
		}
	}
	q.params.add("labelIds[]", pick(t, wrong))
}

func hasLabel(p oracle.Product, id int64) bool {
	for _, l := range p.Labels {
		if l.ID == id {
			return true
		}
	}
	return false
}

func wrongNumber(t *rapid.T, _ *oracle.World, q *question) {
	name := pick(t, []string{"page", "perPage", "topLimit"})
	q.params.set(name, pick(t, []string{"0", "-1", "abc", "1.5", "1e3", "0x10", "1,2"}))
}

func wrongValue(name string, values ...string) mistake {
	return mistake{name, func(t *rapid.T, _ *oracle.World, q *question) { q.params.set(name, pick(t, values)) }}
}

// wrongListValue puts the wrong value behind right ones.
func wrongListValue(name string, values ...string) mistake {
	return mistake{name, func(t *rapid.T, _ *oracle.World, q *question) { q.params.add(name, pick(t, values)) }}
}
