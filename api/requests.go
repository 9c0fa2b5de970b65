package api

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Parameter names of query strings, as the contract spells them.
const (
	ParamDomain    = "domain"
	ParamDateFrom  = "dateFrom"
	ParamDateTo    = "dateTo"
	ParamPlatforms = "platforms[]"
	ParamLabelIDs  = "labelIds[]"
	ParamGroupBy   = "groupBy"
	ParamWebsiteID = "websiteId"
	ParamInterval  = "interval"
	ParamMetrics   = "metrics[]"
	ParamGroupBys  = "groupBy[]"
	ParamBotTypes  = "botTypes[]"
	ParamURLPath   = "urlPath"
	ParamPage      = "page"
	ParamPerPage   = "perPage"
	ParamTopLimit  = "topLimit"
)

// Defaults of the timeseries.
const (
	DefaultPage    = 1
	DefaultPerPage = 20
)

// PromptsRequest is the query of prompts, prompts/summary and prompts/dates.
type PromptsRequest struct {
	Domain    string // required
	Window           // required
	Platforms []string
	LabelIDs  []int64
}

// CitationsRequest is the query of citations.
type CitationsRequest struct {
	PromptsRequest
	GroupBy CitationGrouping
}

// TimeseriesRequest is the query of analytics/timeseries.
// Optional filters that were not sent are empty.
type TimeseriesRequest struct {
	Window             // required
	WebsiteID *string  // all active websites
	Interval  Interval // day
	Metrics   []Metric // bot_visits
	GroupBy   []Dimension
	Platforms []string
	BotTypes  []string
	URLPath   *string
	Page      int64
	PerPage   int64
	TopLimit  int64 // 0: no limit
}

// DecodePrompts reads the query string of the three prompt reports.
// The error says which parameter is wrong and why, for HeaderErrorDetail.
func DecodePrompts(rawQuery string) (PromptsRequest, error) {
	q := parseQuery(rawQuery)
	r := q.prompts()
	return r, q.err()
}

// DecodeCitations reads the query string of citations.
func DecodeCitations(rawQuery string) (CitationsRequest, error) {
	q := parseQuery(rawQuery)
	r := CitationsRequest{PromptsRequest: q.prompts(), GroupBy: q.grouping()}
	return r, q.err()
}

// DecodeTimeseries reads the query string of analytics/timeseries.
func DecodeTimeseries(rawQuery string) (TimeseriesRequest, error) {
	q := parseQuery(rawQuery)
	r := TimeseriesRequest{
		Window:    q.window(),
		WebsiteID: q.optional(ParamWebsiteID),
		Interval:  oneOf(q, ParamInterval, Intervals),
		Metrics:   someOf(q, ParamMetrics, Metrics),
		GroupBy:   someOf(q, ParamGroupBys, Dimensions),
		Platforms: q.list(ParamPlatforms),
		BotTypes:  q.list(ParamBotTypes),
		URLPath:   q.optional(ParamURLPath),
		Page:      q.positive(ParamPage, DefaultPage),
		PerPage:   q.positive(ParamPerPage, DefaultPerPage),
		TopLimit:  q.positive(ParamTopLimit, 0),
	}
	if len(r.Metrics) == 0 {
		r.Metrics = Metrics[:1:1]
	}
	return r, q.err()
}

func (q *query) prompts() PromptsRequest {
	return PromptsRequest{
		Domain:    q.required(ParamDomain),
		Window:    q.window(),
		Platforms: q.list(ParamPlatforms),
		LabelIDs:  q.integers(ParamLabelIDs),
	}
}

func (q *query) window() (w Window) {
	var err error
	from, to := q.required(ParamDateFrom), q.required(ParamDateTo)
	if q.failed != nil {
		return w
	}
	if w.From, err = ParseTime(from); err != nil {
		q.fail(ParamDateFrom, err)
	}
	if w.To, err = ParseTime(to); err != nil {
		q.fail(ParamDateTo, err)
	}
	if q.failed == nil && w.From.After(w.To) {
		q.fail(ParamDateFrom, errors.New("after dateTo"))
	}
	return w
}

func (q *query) grouping() CitationGrouping {
	if v := q.optional(ParamGroupBy); v != nil {
		if g, ok := CitationGroupingAliases[*v]; ok {
			return g
		}
	}
	return oneOf(q, ParamGroupBy, CitationGroupings)
}

// oneOf reads a value of a closed list, the first of which is the default.
func oneOf[T ~string](q *query, name string, allowed []T) T {
	v := q.optional(name)
	if v == nil {
		return allowed[0]
	}
	return member(q, name, *v, allowed)
}

// someOf reads values of a closed list.
func someOf[T ~string](q *query, name string, allowed []T) (values []T) {
	for _, v := range q.list(name) {
		values = append(values, member(q, name, v, allowed))
	}
	return values
}

func member[T ~string](q *query, name, value string, allowed []T) T {
	if !slices.Contains(allowed, T(value)) {
		names := make([]string, len(allowed))
		for i, a := range allowed {
			names[i] = string(a)
		}
		q.fail(name, fmt.Errorf("must be one of %s", strings.Join(names, ", ")))
	}
	return T(value)
}
