package questions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/engines"
)

// Shape makes of an engine's rows the answer that the API gives.
func (q *Question) Shape(world *data.World, parts []engines.Rows) (any, error) {
	route, query := q.route()
	s := shaper{world: world}
	var answer any
	switch route {
	case "prompts":
		answer = s.prompts(parts[0])
	case "summary":
		answer = s.summary(parts[0])
	case "dates":
		request, err := api.DecodePrompts(query)
		if err != nil {
			return nil, err
		}
		answer = s.dates(parts[0], request.Domain)
	case "citations":
		request, err := api.DecodeCitations(query)
		if err != nil {
			return nil, err
		}
		answer = s.citations(parts, request.GroupBy)
	case "timeseries":
		request, err := api.DecodeTimeseries(query)
		if err != nil {
			return nil, err
		}
		answer = s.timeseries(parts[0], request)
	}
	if s.err != nil {
		return nil, s.err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Parse reads an answer of the API.
func Parse(text []byte) (answer any, err error) {
	err = json.Unmarshal(text, &answer)
	return answer, err
}

// shaper keeps the first mistake.
type shaper struct {
	world *data.World
	err   error
}

func (s *shaper) integer(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("%q is no whole number", text)
	}
	return n
}

func (s *shaper) maybeInteger(text string) *int64 {
	if text == engines.Null {
		return nil
	}
	n := s.integer(text)
	return &n
}

func (s *shaper) maybeNumber(text string) *float64 {
	if text == engines.Null {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && s.err == nil {
		s.err = err
	}
	return &n
}

// day makes an API's time of a date, or of a date with a time.
func day(text string) string { return text[:len("2006-01-02")] + "T00:00:00Z" }

func (s *shaper) prompts(rows engines.Rows) any {
	known := make(map[int64]*data.Prompt)
	for _, p := range s.world.Products[0].Prompts {
		known[p.ID] = p
	}
	list := []api.PromptMetric{}
	for _, r := range rows.Values {
		p := known[s.integer(r[0])]
		if p == nil {
			s.err = cmp.Or(s.err, fmt.Errorf("prompt %s is not one of the product's", r[0]))
			return nil
		}
		row := api.PromptMetric{
			PromptText: p.Text, Platform: r[1], Domain: p.Domain, Position: s.maybeNumber(r[2]), Visibility: s.maybeNumber(r[3]),
			Rank: s.maybeInteger(r[4]), RunCount: s.maybeInteger(r[5]), Labels: []api.PromptLabel{},
		}
		for _, id := range p.Labels {
			row.Labels = append(row.Labels, api.PromptLabel{ID: id, Name: data.Labels[id-1].Name})
		}
		list = append(list, row)
	}
	return list
}

func (s *shaper) summary(rows engines.Rows) any {
	r := rows.Values[0]
	return api.PromptSummary{Position: s.maybeNumber(r[0]), Visibility: s.maybeNumber(r[1]), Rank: s.maybeInteger(r[2]), TotalCompetitors: s.integer(r[3])}
}

func (s *shaper) dates(rows engines.Rows, domain string) any {
	list := []api.DailyPromptMetric{}
	for _, r := range rows.Values {
		list = append(list, api.DailyPromptMetric{
			Date: day(r[0]), Platform: r[1], Domain: domain, Position: s.maybeNumber(r[2]), Visibility: s.maybeNumber(r[3]), Rank: s.maybeInteger(r[4]),
		})
	}
	return list
}

func (s *shaper) timeseries(rows engines.Rows, request api.TimeseriesRequest) any {
	answer := api.TimeseriesResponse{CurrentPage: request.Page, PerPage: request.PerPage, TotalItems: rows.All}
	items := []map[string]any{}
	for _, r := range rows.Values {
		if rows.All < 0 { // the last column tells
			answer.TotalItems = s.integer(r[len(r)-1])
		}
		if r[0] == engines.Null {
			break
		}
		item := map[string]any{"timestamp": day(r[0])}
		for i, d := range request.GroupBy {
			item[string(d)] = r[1+i]
		}
		for i, m := range request.Metrics {
			item[camel(string(m))] = s.integer(r[1+len(request.GroupBy)+i])
		}
		items = append(items, item)
	}
	answer.TotalItems = max(answer.TotalItems, 0)
	answer.TotalPages = (answer.TotalItems + request.PerPage - 1) / request.PerPage
	if n := min(request.Page-1, answer.TotalPages); n > 0 {
		answer.PreviousPage = &n
	}
	if n := request.Page + 1; n <= answer.TotalPages {
		answer.NextPage = &n
	}
	return map[string]any{
		"previousPage": answer.PreviousPage, "currentPage": answer.CurrentPage, "nextPage": answer.NextPage,
		"totalPages": answer.TotalPages, "totalItems": answer.TotalItems, "perPage": answer.PerPage, "items": items,
	}
}

// camel makes botVisits of bot_visits.
func camel(name string) string {
	first, rest, _ := strings.Cut(name, "_")
	for word := range strings.SplitSeq(rest, "_") {
		if word != "" {
			first += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return first
}

func (s *shaper) citations(parts []engines.Rows, by api.CitationGrouping) any {
	var answer api.CitationResponse
	for _, g := range []api.CitationGrouping{api.GroupProperty, api.GroupPage, api.GroupProduct} {
		if by != api.GroupAll && by != g {
			continue
		}
		rows := parts[0]
		parts = parts[1:]
		switch g {
		case api.GroupProperty:
			answer.ByProperty = []api.CitationByProperty{}
			for _, r := range rows.Values {
				answer.ByProperty = append(answer.ByProperty, api.CitationByProperty{
					Domain: r[0], Count: s.integer(r[1]), Products: s.products(r[2]), IsMentioned: r[3] == "1"})
			}
		case api.GroupPage:
			answer.ByPage = []api.CitationByPage{}
			for _, r := range rows.Values {
				answer.ByPage = append(answer.ByPage, api.CitationByPage{
					Domain: r[0], URL: r[1], Count: s.integer(r[2]), Products: s.products(r[3]), IsMentioned: r[4] == "1"})
			}
		case api.GroupProduct:
			answer.ByProduct = s.byProduct(rows)
		}
	}
	return answer
}

func (s *shaper) byProduct(rows engines.Rows) []api.CitationByProduct {
	list := []api.CitationByProduct{}
	for _, r := range rows.Values {
		if p := s.product(r[0]); p != nil {
			list = append(list, api.CitationByProduct{Name: p.Name, Domain: p.Domain, Count: s.integer(r[1]), IsMentioned: r[2] == "1"})
		}
	}
	slices.SortFunc(list, func(a, b api.CitationByProduct) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Name, b.Name))
	})
	return list
}

func (s *shaper) product(id string) *data.Product {
	p := s.world.Product(s.integer(id))
	if p == nil && s.err == nil {
		s.err = fmt.Errorf("product %s does not exist", id)
	}
	return p
}

// products makes names of a list of ids.
func (s *shaper) products(ids string) []api.CitationProduct {
	list := []api.CitationProduct{}
	if ids == "" || ids == engines.Null {
		return list
	}
	for id := range strings.SplitSeq(ids, ",") {
		if p := s.product(id); p != nil {
			list = append(list, api.CitationProduct{Name: p.Name, Domain: p.Domain})
		}
	}
	slices.SortFunc(list, func(a, b api.CitationProduct) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Domain, b.Domain))
	})
	return list
}
