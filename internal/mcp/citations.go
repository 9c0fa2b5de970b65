package mcp

import (
	"context"
	"fmt"

	"github.com/sightline-hq/sightline/api"
)

type citationsIn struct {
	promptsIn
	GroupBy api.CitationGrouping `json:"groupBy"`
}

type citationsOut struct {
	asked
	ByProperty *citations[api.CitationByProperty] `json:"byProperty,omitempty"`
	ByPage     *citations[api.CitationByPage]     `json:"byPage,omitempty"`
	ByProduct  *citations[api.CitationByProduct]  `json:"byProduct,omitempty"`
}

// citations is one of the lists that were asked for.
type citations[T any] struct {
	paging
	Items []T      `json:"items"`
	Notes []string `json:"notes,omitempty"`
}

func (o citationsOut) text() string {
	return o.asked.text() + o.ByProperty.text("property") + o.ByPage.text("page", "domain") + o.ByProduct.text("product")
}

func (c *citations[T]) text(by string, without ...string) string {
	if c == nil {
		return ""
	}
	head := fmt.Sprintf("\nBy %s:\n", by)
	if len(c.Items) > 0 {
		head += "\n" + table(c.Items, without...)
	}
	return head + paragraphs(c.Notes)
}

func (r *reader) getCitations(ctx context.Context, in citationsIn) (o citationsOut, err error) {
	request, about, err := r.prompts(ctx, in.promptsIn)
	if err != nil {
		return o, err
	}
	all, err := r.client.Citations(ctx, about.ProductID, api.CitationsRequest{PromptsRequest: request, GroupBy: in.GroupBy})
	if err != nil {
		return o, r.explain(ctx, about.ProductID, err)
	}
	page, bytes := in.pageIn.or(citationsPerPage), mostBytes
	if in.GroupBy == "" || in.GroupBy == api.GroupAll {
		bytes /= 3
	}
	return citationsOut{
		asked:      about,
		ByProperty: cited(all.ByProperty, page, bytes, api.GroupProperty),
		ByPage:     cited(all.ByPage, page, bytes, api.GroupPage),
		ByProduct:  cited(all.ByProduct, page, bytes, api.GroupProduct),
	}, nil
}

func cited[T any](rows []T, in pageIn, bytes int, by api.CitationGrouping) *citations[T] {
	if rows == nil {
		return nil
	}
	c := new(citations[T])
	c.Items, c.paging = pageOf(rows, in)
	c.Items, c.LeftOut = short(c.Items, bytes)
	if c.Notes = c.paging.notes(" and groupBy=" + string(by)); len(rows) == 0 {
		c.Notes = []string{"Nothing: no matching answer of the period cites a source. Check domain, platforms, labels and period."}
	}
	return c
}
