package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/export"
	"github.com/sightline-hq/sightline/internal/report"
)

// call is a request that has been authenticated.
type call struct {
	catalog int64 // its version
	scope   catalog.Scope
	product catalog.Primary // of routes with a product
	query   string          // not looked at before
}

// question is a call that has been understood.
type question struct {
	// key is the request in one spelling, for one of several that mean the same.
	// It is empty where answering costs less than remembering.
	key string
	// large means that the answer may be sent while it is read.
	large bool
	ask   func(context.Context, *report.Reports) (any, error)
	// name is what the file of an export is called, without its extension.
	name string
	// table makes rows of the answer.
	table func(answer any) export.Table
}

// endpoint understands a call. The error decides the status.
type endpoint func(c call) (question, error)

func (s *Server) products(c call) (question, error) {
	return known("products", func() any { return report.Products(c.scope) }), nil
}

func (s *Server) websites(c call) (question, error) {
	return known(c.file("websites"), func() any { return report.Websites(c.product) }), nil
}

// known is a question that the catalog answers.
func known(name string, answer func() any) question {
	return question{name: name, table: export.Of, ask: func(context.Context, *report.Reports) (any, error) { return answer(), nil }}
}

// file is the name of a report on the product.
func (c call) file(report string) string { return fmt.Sprintf("%s-%d", report, c.product.Product().ID) }

func (s *Server) prompts(c call) (question, error) {
	return understand(c, "prompts", api.DecodePrompts, (*report.Reports).Prompts)
}

func (s *Server) promptSummary(c call) (question, error) {
	return understand(c, "summary", api.DecodePrompts, (*report.Reports).PromptSummary)
}

func (s *Server) promptDates(c call) (question, error) {
	return understand(c, "dates", api.DecodePrompts, (*report.Reports).PromptDates)
}

func (s *Server) citations(c call) (question, error) {
	request, err := api.DecodeCitations(c.query)
	if err != nil {
		return question{}, badRequest{err}
	}
	name := "citations"
	if request.GroupBy != api.GroupAll {
		name += "-by-" + string(request.GroupBy)
	}
	return understand(c, name, func(string) (api.CitationsRequest, error) { return request, nil }, (*report.Reports).Citations)
}

func (s *Server) timeseries(c call) (question, error) {
	request, err := api.DecodeTimeseries(c.query)
	if err != nil {
		return question{}, badRequest{err}
	}
	q, err := understand(c, "timeseries", func(string) (api.TimeseriesRequest, error) { return request, nil }, (*report.Reports).Timeseries)
	q.large = request.PerPage >= report.StreamFrom
	q.table = func(answer any) export.Table { return export.Timeseries(request, answer.(*report.TimeseriesPage).Each) }
	if request.Page > 1 {
		q.name += fmt.Sprintf("-page-%d", request.Page)
	}
	return q, err
}

// understand decodes a query string into the report that it asks for.
func understand[Request interface{ Seconds() (first, last int64) }, Answer any](
	c call,
	name string,
	decode func(string) (Request, error),
	ask func(*report.Reports, context.Context, catalog.Primary, Request) (Answer, error),
) (question, error) {
	request, err := decode(c.query)
	if err != nil {
		return question{}, badRequest{err}
	}
	key, err := json.Marshal(request)
	first, last := request.Seconds()
	name = fmt.Sprintf("%s-%s-%s", c.file(name), day(first), day(last))
	return question{key: string(key), name: name, table: export.Of, ask: func(ctx context.Context, r *report.Reports) (any, error) {
		answer, err := ask(r, ctx, c.product, request)
		if errors.Is(err, report.ErrLabel) {
			err = badRequest{err}
		}
		return answer, err
	}}, err
}

func day(second int64) string { return time.Unix(second, 0).UTC().Format(time.DateOnly) }
