package server

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
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
}

// endpoint understands a call. The error decides the status.
type endpoint func(c call) (question, error)

func (s *Server) products(c call) (question, error) {
	return known(func() any { return report.Products(c.scope) }), nil
}

func (s *Server) websites(c call) (question, error) {
	return known(func() any { return report.Websites(c.product) }), nil
}

// known is a question that the catalog answers.
func known(answer func() any) question {
	return question{ask: func(context.Context, *report.Reports) (any, error) { return answer(), nil }}
}

func (s *Server) prompts(c call) (question, error) {
	return understand(c, api.DecodePrompts, (*report.Reports).Prompts)
}

func (s *Server) promptSummary(c call) (question, error) {
	return understand(c, api.DecodePrompts, (*report.Reports).PromptSummary)
}

func (s *Server) promptDates(c call) (question, error) {
	return understand(c, api.DecodePrompts, (*report.Reports).PromptDates)
}

func (s *Server) citations(c call) (question, error) {
	return understand(c, api.DecodeCitations, (*report.Reports).Citations)
}

func (s *Server) timeseries(c call) (question, error) {
	request, err := api.DecodeTimeseries(c.query)
	if err != nil {
		return question{}, badRequest{err}
	}
	q, err := understand(c, func(string) (api.TimeseriesRequest, error) { return request, nil }, (*report.Reports).Timeseries)
	q.large = request.PerPage >= report.StreamFrom
	return q, err
}

// understand decodes a query string into the report that it asks for.
func understand[Request, Answer any](
	c call,
	decode func(string) (Request, error),
	ask func(*report.Reports, context.Context, catalog.Primary, Request) (Answer, error),
) (question, error) {
	request, err := decode(c.query)
	if err != nil {
		return question{}, badRequest{err}
	}
	key, err := json.Marshal(request)
	return question{key: string(key), ask: func(ctx context.Context, r *report.Reports) (any, error) {
		answer, err := ask(r, ctx, c.product, request)
		if errors.Is(err, report.ErrLabel) {
			err = badRequest{err}
		}
		return answer, err
	}}, err
}
