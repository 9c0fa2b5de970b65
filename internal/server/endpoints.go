package server

import (
	"context"
	"errors"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/report"
)

// call is a request that has been authenticated.
type call struct {
	scope   catalog.Scope
	product catalog.Primary // of routes with a product
	query   string          // not looked at before
}

// endpoint answers a call. The value is the body; the error decides the status.
type endpoint func(ctx context.Context, c call) (any, error)

func (s *Server) products(_ context.Context, c call) (any, error) {
	return report.Products(c.scope), nil
}

func (s *Server) websites(_ context.Context, c call) (any, error) {
	return report.Websites(c.product), nil
}

func (s *Server) prompts(ctx context.Context, c call) (any, error) {
	return run(ctx, c, api.DecodePrompts, s.Reports.Prompts)
}

func (s *Server) promptSummary(ctx context.Context, c call) (any, error) {
	return run(ctx, c, api.DecodePrompts, s.Reports.PromptSummary)
}

func (s *Server) promptDates(ctx context.Context, c call) (any, error) {
	return run(ctx, c, api.DecodePrompts, s.Reports.PromptDates)
}

func (s *Server) citations(ctx context.Context, c call) (any, error) {
	return run(ctx, c, api.DecodeCitations, s.Reports.Citations)
}

func (s *Server) timeseries(ctx context.Context, c call) (any, error) {
	page, err := run(ctx, c, api.DecodeTimeseries, s.Reports.Timeseries)
	if err != nil || page.Streams() {
		return page, err
	}
	return page.TimeseriesResponse, nil
}

// run decodes a query string and asks for the report.
func run[Request, Answer any](
	ctx context.Context, c call,
	decode func(string) (Request, error),
	ask func(context.Context, catalog.Primary, Request) (Answer, error),
) (answer Answer, err error) {
	request, err := decode(c.query)
	if err != nil {
		return answer, badRequest{err}
	}
	answer, err = ask(ctx, c.product, request)
	if errors.Is(err, report.ErrLabel) {
		err = badRequest{err}
	}
	return answer, err
}
