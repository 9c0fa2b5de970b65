package oracle

import (
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// row is one bucket and group with the visits in it.
type row struct {
	timestamp  string
	dimensions []string // in the order requested
	visits     []visit
}

// Timeseries answers GET /v1/products/{productId}/analytics/timeseries. The
// request's urlPath is already normalized.
func (w *World) Timeseries(teamID string, productID int64, r api.TimeseriesRequest) (api.TimeseriesResponse, int) {
	p, status := w.authorize(teamID, productID)
	if status != http.StatusOK {
		return api.TimeseriesResponse{}, status
	}
	rows := rowsOf(w.selectedVisits(p, r), r)
	rows = slices.DeleteFunc(rows, func(x row) bool { return allZero(x, r.Metrics) })
	sortRows(rows, r.Metrics[0])
	rows = top(rows, r.TopLimit)
	return page(rows, r), http.StatusOK
}

func (w *World) selectedVisits(p Product, r api.TimeseriesRequest) (selected []visit) {
	for _, v := range w.visits() {
		if websiteWanted(p, v.website, r.WebsiteID) &&
			inside(v.at, r.Window) &&
			platformWanted(v.platform, r.Platforms) &&
			(len(r.BotTypes) == 0 || slices.Contains(r.BotTypes, v.botType)) &&
			(r.URLPath == nil || *r.URLPath == v.normalized) {
			selected = append(selected, v)
		}
	}
	return selected
}

// websiteWanted holds for active websites of the product only (S23).
func websiteWanted(p Product, id string, wanted *string) bool {
	for _, s := range p.Websites {
		if s.ID == id && s.active() {
			return wanted == nil || *wanted == id
		}
	}
	return false
}

func rowsOf(visits []visit, r api.TimeseriesRequest) (rows []row) {
	groups := map[string]int{}
	for _, v := range visits {
		x := row{timestamp: bucket(v, r.Interval)}
		for _, d := range r.GroupBy {
			x.dimensions = append(x.dimensions, dimension(v, d))
		}
		key := x.timestamp + "\x00" + strings.Join(x.dimensions, "\x00")
		i, ok := groups[key]
		if !ok {
			i = len(rows)
			groups[key] = i
			rows = append(rows, x)
		}
		rows[i].visits = append(rows[i].visits, v)
	}
	return rows
}

func bucket(v visit, interval api.Interval) string {
	if interval == api.Week {
		return stamp(startOfWeek(v.at))
	}
	return stamp(startOfDay(v.at))
}

func dimension(v visit, d api.Dimension) string {
	switch d {
	case api.ByPlatform:
		return v.platform
	case api.ByBotType:
		return v.botType
	case api.ByURLPath:
		return v.urlPath
	case api.ByNormalizedURLPath:
		return v.normalized
	case api.ByURLPathDirectory:
		return v.directory
	}
	panic("no such dimension: " + d)
}

// allZero rows are left out (S4).
func allZero(x row, metrics []api.Metric) bool {
	for _, m := range metrics {
		if metric(x.visits, m) != 0 {
			return false
		}
	}
	return true
}

// sortRows orders by timestamp, first metric descending, dimensions (S21).
func sortRows(rows []row, first api.Metric) {
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		if a.timestamp != b.timestamp {
			return a.timestamp < b.timestamp
		}
		if x, y := metric(a.visits, first), metric(b.visits, first); x != y {
			return x > y
		}
		return slices.Compare(a.dimensions, b.dimensions) < 0
	})
}

// top keeps the first rows of each bucket.
func top(rows []row, limit int64) (kept []row) {
	inBucket := map[string]int64{}
	for _, x := range rows {
		inBucket[x.timestamp]++
		if limit == 0 || inBucket[x.timestamp] <= limit {
			kept = append(kept, x)
		}
	}
	return kept
}
