package client

import (
	"net/url"
	"strconv"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// Requests as query strings: what is left at zero is not sent, so that the
// server's default holds, or the server says that it is required. Everything
// else is sent as it is; what is wrong with it is for the server to say.

func encodePrompts(r api.PromptsRequest) url.Values {
	q := make(query)
	q.text(api.ParamDomain, r.Domain)
	q.window(r.Window)
	repeat(q, api.ParamPlatforms, r.Platforms)
	for _, id := range r.LabelIDs {
		q.add(api.ParamLabelIDs, strconv.FormatInt(id, 10))
	}
	return url.Values(q)
}

func encodeCitations(r api.CitationsRequest) url.Values {
	q := query(encodePrompts(r.PromptsRequest))
	q.text(api.ParamGroupBy, string(r.GroupBy))
	return url.Values(q)
}

func encodeTimeseries(r api.TimeseriesRequest) url.Values {
	q := make(query)
	q.window(r.Window)
	q.optional(api.ParamWebsiteID, r.WebsiteID)
	q.text(api.ParamInterval, string(r.Interval))
	repeat(q, api.ParamMetrics, r.Metrics)
	repeat(q, api.ParamGroupBys, r.GroupBy)
	repeat(q, api.ParamPlatforms, r.Platforms)
	repeat(q, api.ParamBotTypes, r.BotTypes)
	q.optional(api.ParamURLPath, r.URLPath)
	q.number(api.ParamPage, r.Page)
	q.number(api.ParamPerPage, r.PerPage)
	q.number(api.ParamTopLimit, r.TopLimit)
	return url.Values(q)
}

type query url.Values

func (q query) add(name, value string) { q[name] = append(q[name], value) }

func (q query) text(name, value string) {
	if value != "" {
		q.add(name, value)
	}
}

func (q query) optional(name string, value *string) {
	if value != nil {
		q.add(name, *value)
	}
}

func (q query) number(name string, n int64) {
	if n != 0 {
		q.add(name, strconv.FormatInt(n, 10))
	}
}

func (q query) window(w api.Window) {
	q.time(api.ParamDateFrom, w.From)
	q.time(api.ParamDateTo, w.To)
}

// time leaves the zero time out: it is a forgotten field, not the year 1.
func (q query) time(name string, t time.Time) {
	if !t.IsZero() {
		q.add(name, t.UTC().Format(time.RFC3339Nano))
	}
}

func repeat[T ~string](q query, name string, values []T) {
	for _, v := range values {
		q.add(name, string(v))
	}
}
