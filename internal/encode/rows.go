package encode

import (
	"strconv"

	"github.com/sightline-hq/sightline/api"
)

func writePrompt(p *pen, before, row *api.PromptMetric) {
	p.writeText(`{"promptText":`, before.PromptText, row.PromptText)
	p.writeText(`,"platform":`, before.Platform, row.Platform)
	p.writeText(`,"domain":`, before.Domain, row.Domain)
	p.writeFloat(`,"position":`, row.Position)
	p.writeFloat(`,"visibility":`, row.Visibility)
	p.writeInt(`,"rank":`, row.Rank)
	p.writeInt(`,"runCount":`, row.RunCount)
	writeElements(p, `,"labels":`, before.Labels, row.Labels, func(l *api.PromptLabel) {
		p.writeCount(`{"id":`, l.ID)
		p.text = append(p.text, `,"name":`...)
		p.quote(l.Name)
		p.mark('}')
	})
	p.mark('}')
}

func writeDay(p *pen, before, row *api.DailyPromptMetric) {
	p.writeText(`{"date":`, before.Date, row.Date)
	p.writeText(`,"platform":`, before.Platform, row.Platform)
	p.writeText(`,"domain":`, before.Domain, row.Domain)
	p.writeFloat(`,"visibility":`, row.Visibility)
	p.writeFloat(`,"position":`, row.Position)
	p.writeInt(`,"rank":`, row.Rank)
	p.mark('}')
}

func writeTimeseries(d *document, t *api.TimeseriesResponse) {
	d.last = appendInt(append(d.last, `{"previousPage":`...), t.PreviousPage)
	d.last = strconv.AppendInt(append(d.last, `,"currentPage":`...), t.CurrentPage, 10)
	d.last = appendInt(append(d.last, `,"nextPage":`...), t.NextPage)
	d.last = strconv.AppendInt(append(d.last, `,"totalPages":`...), t.TotalPages, 10)
	d.last = strconv.AppendInt(append(d.last, `,"totalItems":`...), t.TotalItems, 10)
	d.last = strconv.AppendInt(append(d.last, `,"perPage":`...), t.PerPage, 10)
	d.last = append(d.last, `,"items":`...)
	writeList(d, t.Items, func(p *pen, _, item *api.TimeseriesItem) { p.text = Item(p.text, item) })
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
