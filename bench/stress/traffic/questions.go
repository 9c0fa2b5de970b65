// Package traffic is what dashboards ask: a few dozen questions of all kinds,
// again and again, some of them remembered by the server and some not, at a
// steady rate. Every answer must be the one of a known state of the data.
package traffic

import (
	"fmt"
	"net/url"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/world"
)

// Question is a request of a team.
type Question struct {
	Team *world.Team
	Path string // with its query, but for the end of its window
	// Sums says which figures of its answer are counted in Totals.
	Sums Sums
}

// Sums is what the figures of an answer add up to.
type Sums int

// What can be added up, over all products.
const (
	Nothing Sums = iota
	Visits       // all of them
	Runs         // all answers
	Cited        // all citations
)

// Target is the question's path and query. The window ends a number of seconds
// into a time in which nothing happened, so that the answer is the same for all of
// them, but each is another question to a server that remembers answers.
func (q Question) Target(second int) string {
	end := world.Last.AddDate(0, 1, 0).Add(time.Duration(second) * time.Second)
	return q.Path + "&dateTo=" + end.Format("2006-01-02T15:04:05Z")
}

// Questions are some of each kind for every product.
func Questions(w *world.World) (all []Question) {
	from := "dateFrom=" + world.First.Format("2006-01-02T15:04:05Z")
	for _, t := range w.Teams {
		for _, p := range t.Products {
			base := fmt.Sprintf("/v1/products/%d/", p.ID)
			series := base + "analytics/timeseries?perPage=500&" + from
			prompts := "?domain=" + url.QueryEscape(p.Domains[0]) + "&" + from
			other := "?domain=" + url.QueryEscape(p.Domains[1]) + "&" + from
			all = append(all,
				Question{t, series + "&interval=week&metrics[]=bot_visits&metrics[]=human_visits&metrics[]=unique_human_visitors", Visits},
				Question{t, series + "&metrics[]=unique_pages&groupBy[]=platform", Nothing},
				Question{t, series + "&interval=week&metrics[]=bot_visits&groupBy[]=urlPath&topLimit=5", Nothing},
				Question{t, base + "prompts" + prompts, Runs},
				Question{t, base + "prompts" + other, Runs},
				Question{t, base + "prompts/summary" + prompts, Nothing},
				Question{t, base + "prompts/dates" + prompts, Nothing},
				Question{t, base + "citations" + prompts, Cited},
				Question{t, base + "citations" + other + "&groupBy=page", Cited},
			)
		}
	}
	return all
}
