package check

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// subject is a product that is checked, and the windows in which it has data.
type subject struct {
	session *session
	product api.Product
	domain  string // the one that has answers

	looked                bool
	answerDays, visitDays api.Window
	anyAnswers, anyVisit  bool
	noAnswers, noVisits   *probe // how looking for them failed; nil: it did not
}

const oneDay = 24 * time.Hour

// subjects returns the products to check.
func (s *session) subjects() []*subject {
	if s.found != nil {
		return s.found
	}
	s.found = []*subject{}
	for _, product := range s.listed(s.key) {
		if id := product.ID; len(s.options.Products) > 0 && !slices.Contains(s.options.Products, id) ||
			len(s.options.Products) == 0 && len(s.found) == MaxProducts {
			continue
		}
		s.found = append(s.found, &subject{session: s, product: product, domain: product.Domain})
	}
	return s.found
}

// listed returns the products that a key reaches; none if they cannot be read.
func (s *session) listed(as credential) (products []api.Product) {
	p := &probe{session: s}
	a := p.send(request{method: http.MethodGet, target: api.RouteProducts, as: as})
	if p.ended || a.status != http.StatusOK || json.Unmarshal(a.body, &products) != nil {
		return nil
	}
	return products
}

// path is the path of a route for this product.
func (s *subject) path(route string) string { return on(route, s.product.ID) }

// promptQuery selects all prompts of the domain in the window.
func (s *subject) promptQuery() query {
	s.look()
	return query{}.with(api.ParamDomain, s.domain).within(s.answerDays)
}

// visitQuery selects all visits in the window.
func (s *subject) visitQuery() query {
	s.look()
	return query{}.within(s.visitDays)
}

// queryOf selects everything that a route has.
func (s *subject) queryOf(route string) query {
	switch route {
	case api.RouteProducts, api.RouteWebsites:
		return nil
	case api.RouteTimeseries:
		return s.visitQuery()
	}
	return s.promptQuery()
}

func (s *subject) hasAnswers() bool { s.look(); return s.anyAnswers }
func (s *subject) hasVisits() bool  { s.look(); return s.anyVisit }

// describe is how a report shows what was looked at.
func (s *subject) describe() Product {
	d := Product{ID: s.product.ID, Domain: s.domain}
	if s.looked && s.anyAnswers {
		d.Answers = &Period{s.answerDays.From, s.answerDays.To}
	}
	if s.looked && s.anyVisit {
		d.Visits = &Period{s.visitDays.From, s.visitDays.To}
	}
	return d
}

// look finds the windows, once. They end before today where that is possible:
// data that still grows would make a law of two answers fail.
func (s *subject) look() {
	if s.looked {
		return
	}
	s.looked = true
	o := s.session.options
	if !o.From.IsZero() {
		w := api.Window{From: o.From, To: o.To}
		s.answerDays, s.visitDays = w, w
		_, s.anyAnswers = s.newestAnswer(w)
		_, s.anyVisit = s.newestVisit(w)
		return
	}
	today := time.Now().UTC().Truncate(oneDay)
	yesterday := today.Add(-time.Second)
	s.answerDays = api.Window{From: today.AddDate(0, 0, -90), To: yesterday}
	s.visitDays = s.answerDays
	for _, w := range []api.Window{
		s.answerDays,
		{From: today.AddDate(-2, 0, 0), To: yesterday},
		{From: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2099, 12, 31, 23, 59, 59, 0, time.UTC)}, // S1
	} {
		if newest, ok := s.newestAnswer(w); ok && !s.anyAnswers {
			s.anyAnswers = true
			s.answerDays = clip(w, newest.Add(-20*oneDay), newest.Add(oneDay-time.Second))
		}
		// Three weeks, of which the newest may be partial.
		if newest, ok := s.newestVisit(w); ok && !s.anyVisit {
			s.anyVisit = true
			s.visitDays = clip(w, newest.Add(-14*oneDay), newest.Add(7*oneDay-time.Second))
		}
		if s.anyAnswers && s.anyVisit {
			return
		}
	}
}

func clip(w api.Window, from, to time.Time) api.Window {
	if from.After(w.From) {
		w.From = from
	}
	if to.Before(w.To) {
		w.To = to
	}
	return w
}

// newestAnswer returns the newest day with AI answers. If the product's own
// domain has none, its websites' are tried.
func (s *subject) newestAnswer(w api.Window) (time.Time, bool) {
	p := &probe{session: s.session, subject: s}
	domains := []string{s.domain}
	for _, website := range p.websites() {
		domains = append(domains, website.Domain)
	}
	for _, domain := range domains {
		rows, _ := p.dates(query{}.with(api.ParamDomain, domain).within(w))
		if p.ended {
			s.noAnswers = p
		}
		if len(rows) == 0 {
			continue
		}
		s.domain = domain
		day, err := api.ParseTime(rows[len(rows)-1].Date)
		return day.UTC(), err == nil
	}
	return time.Time{}, false
}

// newestVisit returns the Monday of the newest week with visits.
func (s *subject) newestVisit(w api.Window) (time.Time, bool) {
	p := &probe{session: s.session, subject: s}
	q := query{}.within(w).metrics(api.Metrics...).weekly().page(1, maxRows)
	answered, _ := p.page(q)
	if p.ended {
		s.noVisits = p
	}
	if len(answered.Items) == 0 {
		return time.Time{}, false
	}
	monday, err := api.ParseTime(answered.Items[len(answered.Items)-1].at())
	return monday.UTC(), err == nil
}
