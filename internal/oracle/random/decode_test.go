package random

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// decoder reads a query string by the letter of S2 and S24. It is written
// against the contract, so that the drawn requests are checked by a second hand.
type decoder struct {
	url.Values
	bad bool
}

func (d *decoder) once(name string) (value string, sent bool) {
	values := d.Values[name]
	if len(values) > 1 || len(values) == 1 && values[0] == "" {
		d.bad = true
	}
	return d.Get(name), len(values) > 0
}

func (d *decoder) required(name string) string {
	value, sent := d.once(name)
	d.bad = d.bad || !sent
	return value
}

func (d *decoder) list(name string) (once []string) {
	for _, v := range d.Values[name] {
		d.bad = d.bad || v == ""
		if !slices.Contains(once, v) {
			once = append(once, v)
		}
	}
	return once
}

func (d *decoder) oneOf(name string, allowed ...string) string {
	value, sent := d.once(name)
	if !sent {
		return allowed[0]
	}
	d.bad = d.bad || !slices.Contains(allowed, value)
	return value
}

var whole = regexp.MustCompile(`^[1-9][0-9]*$`)

func (d *decoder) number(name string, absent int64) int64 {
	value, sent := d.once(name)
	if !sent {
		return absent
	}
	n, err := strconv.ParseInt(value, 10, 64)
	d.bad = d.bad || err != nil || !whole.MatchString(value)
	return n
}

var dateTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

func (d *decoder) time(name string) time.Time {
	m := dateTime.FindStringSubmatch(strings.ToUpper(d.required(name)))
	if m == nil {
		d.bad = true
		return time.Time{}
	}
	if m[2] == "60" {
		m[2] = "59"
	}
	t, err := time.Parse(time.RFC3339Nano, m[1]+m[2]+m[4])
	d.bad = d.bad || err != nil
	fraction, _ := strconv.ParseFloat("0"+m[3], 64)
	nanos := time.Duration(fraction*1e9 + 0.5)
	if fraction > 0 && nanos == 0 {
		nanos = 1
	}
	return t.Add(nanos)
}

func (d *decoder) window() api.Window {
	w := api.Window{From: d.time("dateFrom"), To: d.time("dateTo")}
	d.bad = d.bad || w.From.After(w.To)
	return w
}

func (d *decoder) prompts() api.PromptsRequest {
	r := api.PromptsRequest{Domain: d.required("domain"), Window: d.window(), Platforms: d.list("platforms[]")}
	for _, v := range d.list("labelIds[]") {
		id, err := strconv.ParseInt(v, 10, 64)
		d.bad = d.bad || err != nil
		r.LabelIDs = append(r.LabelIDs, id)
	}
	return r
}

func (d *decoder) citations() api.CitationsRequest {
	r := api.CitationsRequest{PromptsRequest: d.prompts()}
	value := d.oneOf("groupBy", "all", "property", "page", "product", "byProperty", "byPage", "byProduct")
	r.GroupBy = api.CitationGrouping(strings.ToLower(strings.TrimPrefix(value, "by")))
	return r
}

func (d *decoder) timeseries() api.TimeseriesRequest {
	r := api.TimeseriesRequest{
		Window: d.window(), Interval: api.Interval(d.oneOf("interval", "day", "week")),
		Platforms: d.list("platforms[]"), BotTypes: d.list("botTypes[]"),
		Page: d.number("page", 1), PerPage: d.number("perPage", 20), TopLimit: d.number("topLimit", 0),
	}
	if id, sent := d.once("websiteId"); sent {
		r.WebsiteID = &id
	}
	if value, sent := d.once("urlPath"); sent {
		value = normalized(value)
		r.URLPath = &value
	}
	for _, v := range d.list("metrics[]") {
		d.bad = d.bad || !slices.Contains(metrics, api.Metric(v))
		r.Metrics = append(r.Metrics, api.Metric(v))
	}
	for _, v := range d.list("groupBy[]") {
		d.bad = d.bad || !slices.Contains(dimensions, api.Dimension(v))
		r.GroupBy = append(r.GroupBy, api.Dimension(v))
	}
	if len(r.Metrics) == 0 {
		r.Metrics = metrics[:1]
	}
	return r
}

// normalized looks the path up.
func normalized(value string) string {
	value, _, _ = strings.Cut(value, "?")
	value, _, _ = strings.Cut(value, "#")
	for _, p := range slices.Concat(pages, files) {
		if p.sent == value {
			return p.normalized
		}
	}
	return strings.TrimSuffix(value, "/")
}
