package mcp

import (
	"context"
	"fmt"

	"github.com/sightline-hq/sightline/api"
)

type productsOut struct {
	Products []api.Product `json:"products"`
	Notes    []string      `json:"notes,omitempty"`
}

func (o productsOut) text() string {
	if len(o.Products) == 0 {
		return o.Notes[0]
	}
	return table(o.Products) + paragraphs(o.Notes)
}

// listProducts is not paged: an agency has dozens of products, not thousands.
func (r *reader) listProducts(ctx context.Context, _ struct{}) (o productsOut, err error) {
	products, err := r.client.Products(ctx)
	if err != nil {
		return o, r.explain(ctx, 0, err)
	}
	kept, leftOut := short(products, mostBytes)
	o.Products = kept
	switch {
	case len(products) == 0:
		o.Notes = []string{"This key sees " + seen(products) + "."}
	case leftOut > 0:
		o.Notes = []string{fmt.Sprintf("%d more products are left out, to keep the answer short; other tools take their ids all the same.", leftOut)}
	}
	return o, nil
}

type websitesOut struct {
	ProductID int64         `json:"productId"`
	Websites  []api.Website `json:"websites"`
	Notes     []string      `json:"notes,omitempty"`
}

func (o websitesOut) text() string {
	head := fmt.Sprintf("Tracked websites of product %d.\n", o.ProductID)
	if len(o.Websites) > 0 {
		head += "\n" + table(o.Websites)
	}
	return head + paragraphs(o.Notes)
}

func (r *reader) listWebsites(ctx context.Context, in productIn) (o websitesOut, err error) {
	if o.ProductID, err = r.productID(ctx, in); err != nil {
		return o, err
	}
	websites, err := r.client.Websites(ctx, o.ProductID)
	if err != nil {
		return o, r.explain(ctx, o.ProductID, err)
	}
	kept, leftOut := short(websites, mostBytes)
	o.Websites = kept
	switch {
	case len(websites) == 0:
		o.Notes = []string{"No website of this product is tracked, so get_agent_traffic has nothing to report for it."}
	case leftOut > 0:
		o.Notes = []string{fmt.Sprintf("%d more websites are left out, to keep the answer short.", leftOut)}
	}
	return o, nil
}
