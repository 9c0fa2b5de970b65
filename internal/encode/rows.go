package encode

import (
	"strconv"

	"github.com/sightline-hq/sightline/api"
)

func (known *numbers) appendPrompt(to []byte, p *api.PromptMetric) []byte {
	to = appendText(append(to, `{"promptText":`...), p.PromptText)
	to = appendText(append(to, `,"platform":`...), p.Platform)
	to = appendText(append(to, `,"domain":`...), p.Domain)
	to = known.appendFloat(append(to, `,"position":`...), p.Position)
	to = known.appendFloat(append(to, `,"visibility":`...), p.Visibility)
	to = appendInt(append(to, `,"rank":`...), p.Rank)
	to = appendInt(append(to, `,"runCount":`...), p.RunCount)
	to = appendList(append(to, `,"labels":`...), p.Labels, func(to []byte, l *api.PromptLabel) []byte {
		to = strconv.AppendInt(append(to, `{"id":`...), l.ID, 10)
		return append(appendText(append(to, `,"name":`...), l.Name), '}')
	})
	return append(to, '}')
}

func (known *numbers) appendDay(to []byte, d *api.DailyPromptMetric) []byte {
	to = appendText(append(to, `{"date":`...), d.Date)
	to = appendText(append(to, `,"platform":`...), d.Platform)
	to = appendText(append(to, `,"domain":`...), d.Domain)
	to = known.appendFloat(append(to, `,"visibility":`...), d.Visibility)
	to = known.appendFloat(append(to, `,"position":`...), d.Position)
	return append(appendInt(append(to, `,"rank":`...), d.Rank), '}')
}

func writeTimeseries(d *document, t *api.TimeseriesResponse) {
	d.last = appendInt(append(d.last, `{"previousPage":`...), t.PreviousPage)
	d.last = strconv.AppendInt(append(d.last, `,"currentPage":`...), t.CurrentPage, 10)
	d.last = appendInt(append(d.last, `,"nextPage":`...), t.NextPage)
	d.last = strconv.AppendInt(append(d.last, `,"totalPages":`...), t.TotalPages, 10)
	d.last = strconv.AppendInt(append(d.last, `,"totalItems":`...), t.TotalItems, 10)
	d.last = strconv.AppendInt(append(d.last, `,"perPage":`...), t.PerPage, 10)
	d.last = append(d.last, `,"items":`...)
	writeList(d, t.Items, always(Item))
	d.last = append(d.last, '}')
}

// Item appends an item of a timeseries, for those that are sent one by one.
func Item(to []byte, item *api.TimeseriesItem) []byte {
	to = appendText(append(to, `{"timestamp":`...), item.Timestamp)
	for _, d := range [...]struct {
		name  string
		value *string
	}{
		{`,"platform":`, item.Platform}, {`,"botType":`, item.BotType}, {`,"urlPath":`, item.URLPath},
		{`,"normalizedUrlPath":`, item.NormalizedURLPath}, {`,"urlPathDirectory":`, item.URLPathDirectory},
	} {
		if d.value != nil {
			to = appendText(append(to, d.name...), *d.value)
		}
	}
	for _, m := range [...]struct {
		name  string
		value *int64
	}{
		{`,"botVisits":`, item.BotVisits}, {`,"humanVisits":`, item.HumanVisits},
		{`,"referredHumanVisits":`, item.ReferredHumanVisits}, {`,"aiReferredHumanVisits":`, item.AIReferredHumanVisits},
		{`,"uniqueHumanVisitors":`, item.UniqueHumanVisitors}, {`,"uniquePages":`, item.UniquePages},
		{`,"uniqueHumanPages":`, item.UniqueHumanPages}, {`,"uniqueHumanPlatforms":`, item.UniqueHumanPlatforms},
		{`,"botUserAgents":`, item.BotUserAgents},
	} {
		if m.value != nil {
			to = strconv.AppendInt(append(to, m.name...), *m.value, 10)
		}
	}
	return append(to, '}')
}
