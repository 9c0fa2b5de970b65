package oracle

import "github.com/sightline-hq/sightline/api"

// page cuts one page out of the rows (S22).
func page(rows []row, r api.TimeseriesRequest) api.TimeseriesResponse {
	total := int64(len(rows))
	answer := api.TimeseriesResponse{
		CurrentPage: r.Page, PerPage: r.PerPage, TotalItems: total,
		Items: []api.TimeseriesItem{},
	}
	// Page by page, so that no product of huge numbers can overflow.
	for start := int64(0); start < total; {
		end := min(total, start+min(total, r.PerPage))
		answer.TotalPages++
		if answer.TotalPages == r.Page {
			for _, x := range rows[start:end] {
				answer.Items = append(answer.Items, item(x, r))
			}
		}
		start = end
	}
	if previous := min(r.Page-1, answer.TotalPages); previous >= 1 {
		answer.PreviousPage = &previous
	}
	if r.Page < answer.TotalPages {
		next := r.Page + 1
		answer.NextPage = &next
	}
	return answer
}

// item sets only what was asked for.
func item(x row, r api.TimeseriesRequest) api.TimeseriesItem {
	it := api.TimeseriesItem{Timestamp: x.timestamp}
	for i, d := range r.GroupBy {
		*dimensionField(&it, d) = &x.dimensions[i]
	}
	for _, m := range r.Metrics {
		n := metric(x.visits, m)
		*metricField(&it, m) = &n
	}
	return it
}

func dimensionField(it *api.TimeseriesItem, d api.Dimension) **string {
	switch d {
	case api.ByPlatform:
		return &it.Platform
	case api.ByBotType:
		return &it.BotType
	case api.ByURLPath:
		return &it.URLPath
	case api.ByNormalizedURLPath:
		return &it.NormalizedURLPath
	case api.ByURLPathDirectory:
		return &it.URLPathDirectory
	}
	panic("no such dimension: " + d)
}

func metricField(it *api.TimeseriesItem, m api.Metric) **int64 {
	switch m {
	case api.BotVisits:
		return &it.BotVisits
	case api.HumanVisits:
		return &it.HumanVisits
	case api.ReferredHumanVisits:
		return &it.ReferredHumanVisits
	case api.AIReferredHumanVisits:
		return &it.AIReferredHumanVisits
	case api.UniqueHumanVisitors:
		return &it.UniqueHumanVisitors
	case api.UniquePages:
		return &it.UniquePages
	case api.UniqueHumanPages:
		return &it.UniqueHumanPages
	case api.UniqueHumanPlatforms:
		return &it.UniqueHumanPlatforms
	case api.BotUserAgents:
		return &it.BotUserAgents
	}
	panic("no such metric: " + m)
}
