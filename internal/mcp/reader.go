package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

// reader answers the tools.
type reader struct {
	client *client.Client
	base   string
	log    *slog.Logger
	now    func() time.Time
}

// The arguments that tools share, as they come.
type (
	productIn struct {
		ProductID *int64 `json:"productId"`
	}
	periodIn struct {
		DateFrom *string `json:"dateFrom"`
		DateTo   *string `json:"dateTo"`
	}
	promptsIn struct {
		productIn
		periodIn
		pageIn
		Domain    *string  `json:"domain"`
		Platforms []string `json:"platforms"`
		LabelIDs  []int64  `json:"labelIds"`
	}
)

// asked says what an answer is about, defaults filled in.
type asked struct {
	ProductID int64  `json:"productId"`
	Domain    string `json:"domain,omitempty"`
	DateFrom  string `json:"dateFrom"`
	DateTo    string `json:"dateTo"`
}

func (a asked) text() string {
	domain := ""
	if a.Domain != "" {
		domain = ", domain " + cell(a.Domain)
	}
	return fmt.Sprintf("Product %d%s, from %s to %s.\n", a.ProductID, domain, a.DateFrom, a.DateTo)
}

func about(product int64, domain string, w api.Window) asked {
	return asked{product, domain, w.From.UTC().Format(time.RFC3339Nano), w.To.UTC().Format(time.RFC3339Nano)}
}

// prompts fills in what was left out of a request for prompts.
func (r *reader) prompts(ctx context.Context, in promptsIn) (request api.PromptsRequest, a asked, err error) {
	window, err := r.window(in.periodIn)
	if err != nil {
		return request, a, err
	}
	request = api.PromptsRequest{Window: window, Platforms: in.Platforms, LabelIDs: in.LabelIDs}
	product := api.Product{}
	if in.ProductID != nil && in.Domain != nil {
		product.ID = *in.ProductID
	} else if product, err = r.product(ctx, in.productIn); err != nil {
		return request, a, err
	}
	request.Domain = product.Domain
	if in.Domain != nil {
		request.Domain = *in.Domain
	}
	return request, about(product.ID, request.Domain, window), nil
}

// productID needs to ask only if no product was named.
func (r *reader) productID(ctx context.Context, in productIn) (int64, error) {
	if in.ProductID != nil {
		return *in.ProductID, nil
	}
	product, err := r.product(ctx, in)
	return product.ID, err
}

// product returns the product named, or the only one there is.
func (r *reader) product(ctx context.Context, in productIn) (none api.Product, err error) {
	products, err := r.client.Products(ctx)
	if err != nil {
		return none, r.explain(ctx, 0, err)
	}
	if in.ProductID == nil {
		if len(products) == 1 {
			return products[0], nil
		}
		return none, fmt.Errorf("productId: required, because this key sees %s", seen(products))
	}
	for _, p := range products {
		if p.ID == *in.ProductID {
			return p, nil
		}
	}
	return none, invisible(*in.ProductID, products)
}

func invisible(id int64, products []api.Product) error {
	return fmt.Errorf("productId: %d is not visible to this key, which sees %s", id, seen(products))
}

// mostNamed is how many products an error names.
const mostNamed = 20

func seen(products []api.Product) string {
	if len(products) == 0 {
		return "no product at all: its team owns none. The user needs another key, or a workspace with products"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", count(len(products), "product"))
	for i, p := range products {
		if i == mostNamed {
			fmt.Fprintf(&b, ", and %d more (see list_products)", len(products)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d (%s)", p.ID, cell(p.Name))
	}
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
