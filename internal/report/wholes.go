package report

import (
	"context"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// wholes are the rows of whole buckets while the totals are added up.
type wholes struct {
	plan   *timeseriesPlan
	groups map[seriesKey]*whole
}

// whole is the metrics of a row: sums, and what is counted in the end. Agents are
// numbers of one ISO week, in which the bucket lies.
type whole struct {
	metrics   []int64
	platforms map[string]bool
	agents    facts.Bits
}

// add takes the rows of a part.
func (w wholes) add(ctx context.Context, reader facts.Reader, part *totalsPart) error {
	if part.kind == agents {
		return reader.Agents(ctx, w.plan.totalsQuery(part), func(r *facts.AgentsRow) {
			if !w.plan.selects(r.Platform, r.BotType) {
				return
			}
			of := w.of(r.Bucket, r.Platform, r.BotType, "")
			for _, agent := range r.Agents {
				of.agents.Add(int(agent))
			}
		})
	}
	columns := make([]int, len(part.Reads))
	for i, column := range part.Reads {
		columns[i] = slices.Index(facts.TotalColumns[:], column)
	}
	return w.plan.totals(ctx, reader, part, func(t *facts.TotalsRow) {
		if part.kind == platforms && t.Figures[columns[0]] == 0 {
			return
		}
		of := w.of(t.Bucket, t.Platform, t.BotType, t.Path)
		if part.kind == platforms {
			if of.platforms == nil {
				of.platforms = make(map[string]bool)
			}
			of.platforms[t.Platform] = true
			return
		}
		for i, place := range part.places {
			of.metrics[place] += t.Figures[columns[i]]
		}
	})
}

// of is the row that a row of the totals belongs to.
func (w wholes) of(bucket int64, platform, botType, path string) *whole {
	k := seriesKey{bucket: bucketStart(bucket, w.plan.Totals.Interval)}
	for i, d := range w.plan.Dimensions {
		switch d {
		case column[api.ByPlatform]:
			k.values[i] = platform
		case column[api.ByBotType]:
			k.values[i] = botType
		case column[api.ByURLPathDirectory], column[api.ByNormalizedURLPath]:
			k.values[i] = path
		}
	}
	of := w.groups[k]
	if of == nil {
		of = &whole{metrics: make([]int64, len(w.plan.Metrics))}
		w.groups[k] = of
	}
	return of
}

// countSets writes down how many platforms and agents there are. A row of a whole
// week may have their number as a sum, while those of the days at the edges of the
// window have sets.
func (w *whole) countSets(parts []totalsPart) {
	for _, part := range parts {
		for _, place := range part.places {
			switch {
			case part.kind == platforms && len(w.platforms) > 0:
				w.metrics[place] = int64(len(w.platforms))
			case part.kind == agents && len(w.agents) > 0:
				w.metrics[place] = w.agents.Count()
			}
		}
	}
}
