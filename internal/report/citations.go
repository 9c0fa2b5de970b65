package report

import (
	"context"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// Citations reports on the URLs that the selected answers cite.
func (r *Reports) Citations(ctx context.Context, primary catalog.Primary, req api.CitationsRequest) (api.CitationResponse, error) {
	var answer api.CitationResponse
	s, err := selectAnswers(primary, req.PromptsRequest)
	if err != nil {
		return answer, err
	}
	cited, err := r.cited(ctx, s, req.GroupBy == api.GroupAll || req.GroupBy == api.GroupPage)
	if err != nil {
		return answer, err
	}
	c := newCitations(s.product, cited)
	switch req.GroupBy {
	case api.GroupAll:
		answer.ByProperty, answer.ByPage, answer.ByProduct = c.byProperty(), c.byPage(), c.byProduct()
	case api.GroupProperty:
		answer.ByProperty = c.byProperty()
	case api.GroupPage:
		answer.ByPage = c.byPage()
	case api.GroupProduct:
		answer.ByProduct = c.byProduct()
	}
	return answer, nil
}

// cited counts citations, those of pages only if asked to.
func (r *Reports) cited(ctx context.Context, s selection, pages bool) (facts.Cited, error) {
	if s.empty() {
		return facts.Cited{}, nil
	}
	set, err := r.Facts.Acquire()
	if err != nil {
		return facts.Cited{}, err
	}
	defer set.Close()
	q := s.query()
	if reader, ok := set.(facts.AnswerReader); ok && !r.Plain {
		return reader.Cited(ctx, q, pages)
	}
	plan := answerPlan{AnswerQuery: q, Page: pageAll}
	if pages {
		plan.Page = pageEach
	}
	return citedRows(ctx, set, plan)
}

// citedRows counts by SQL.
func citedRows(ctx context.Context, set facts.Set, plan answerPlan) (all facts.Cited, err error) {
	type source struct{ domain, url string }
	domains, pages := make(map[string]*facts.CitedDomain), make(map[source]*facts.CitedPage)
	err = collect(ctx, set, "citation_counts.sql", plan.window(), plan, func(scan facts.Scan) error {
		p := &facts.CitedPage{Mentioned: facts.NewBits(len(plan.Products))}
		err := scan(&p.Domain, &p.URL, (*facts.Int)(&p.Count))
		pages[source{p.Domain, p.URL}] = p
		d := domains[p.Domain]
		if d == nil {
			d = &facts.CitedDomain{Domain: p.Domain, Mentions: make([]int64, len(plan.Products))}
			domains[p.Domain] = d
		}
		d.Count += p.Count
		return err
	})
	if err != nil {
		return all, err
	}
	places := placesOf(plan.Products)
	err = collect(ctx, set, "citation_mentions.sql", plan.window(), plan, func(scan facts.Scan) error {
		var s source
		var product, n facts.Int
		err := scan(&s.domain, &s.url, &product, &n)
		if p := pages[s]; p != nil && err == nil {
			p.Mentioned.Add(places[int64(product)])
			domains[s.domain].Mentions[places[int64(product)]] += int64(n)
		}
		return err
	})
	for _, d := range domains {
		all.Domains = append(all.Domains, *d)
	}
	if plan.Page == pageEach {
		for _, p := range pages {
			all.Pages = append(all.Pages, *p)
		}
	}
	return all, err
}
