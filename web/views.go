package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

// view is a page of the dashboard.
type view struct {
	path, name, title string
	load              func(*visit) content
}

// content is what a view makes of the answers.
type content interface {
	filters() filters
	tables() []table
}

// views are the dashboard's table of contents.
var views = []view{
	{"/", "overview", "Overview", loadOverview},
	{"/prompts", "prompts", "Prompts", loadPrompts},
	{"/prompt", "prompt", "Prompt", loadPrompt},
	{"/citations", "citations", "Citations", loadCitations},
	{"/traffic", "traffic", "Traffic", loadTraffic},
}

func (v view) pattern() string {
	if v.path == "/" {
		return "GET /{$}"
	}
	return "GET " + v.path
}

// fileOf is where the tables of a page are found as files.
func fileOf(path string) string {
	if path == "/" {
		return "/overview.csv"
	}
	return path + ".csv"
}

// loaded is a page with its answers.
type loaded struct {
	*visit
	products []api.Product
	content  content
}

// load reads the URL and asks the API. Without products there is nothing else
// to ask.
func (d *Dashboard) load(r *http.Request, v view, path string) (*state, *loaded, *trouble) {
	ctx, cancel := context.WithTimeout(r.Context(), d.timeout)
	defer cancel()
	s := readState(r.URL, d.now())
	s.path = path
	visit := &visit{state: s, d: d, ctx: ctx}
	products := ask(visit, func(ctx context.Context, c *client.Client) ([]api.Product, error) { return c.Products(ctx) })
	visit.work.Wait()
	l := &loaded{visit: visit, products: products.Value}
	if products.Trouble != nil || len(products.Value) == 0 {
		return s, l, products.Trouble
	}
	visit.choose(products.Value)
	l.content = v.load(visit)
	return s, l, nil
}

// choose takes the product that the URL names, or the first.
func (v *visit) choose(products []api.Product) {
	v.product = products[0]
	for _, p := range products {
		if p.ID == v.Product {
			v.product = p
		}
	}
	if v.Product != 0 && v.Product != v.product.ID {
		v.problems = append(v.problems, "product: not one of yours; this is "+v.product.Name)
		for _, name := range []string{"product", "domain", "label", "website"} {
			v.values.Del(name)
		}
		v.Domain, v.Labels, v.Website = "", nil, ""
	}
	v.Product = v.product.ID
	if v.Domain == "" {
		v.Domain = v.product.Domain
	}
}

// show renders a page.
func (d *Dashboard) show(v view) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		s, l, trouble := d.load(r, v, v.path)
		f := d.frameOf(r, v, s, l)
		f.Trouble = trouble
		status := http.StatusOK
		switch {
		case trouble != nil:
			status = http.StatusBadGateway
		case len(s.problems) > 0:
			status = http.StatusBadRequest
		}
		f.began = began
		name := v.name
		if l.content == nil {
			name = "message"
		}
		d.render(w, r, status, name, f)
	})
}

// notFound answers every other address.
func (d *Dashboard) notFound(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, ".csv") {
		http.Error(w, "This page has no such table.", http.StatusNotFound)
		return
	}
	d.fail(w, r, http.StatusNotFound, "No such page", "The dashboard has pages for an overview, prompts, citations and traffic. Go back to the overview.")
}
