package oracle

import (
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func cites(a Answer, urlsAndDomains ...string) Answer {
	for i := 0; i < len(urlsAndDomains); i += 2 {
		url, domain := urlsAndDomains[i], urlsAndDomains[i+1]
		a.Citations = append(a.Citations, Citation{Sent: url, URL: url, Domain: domain})
	}
	return a
}

// quoted has three answers with six citations, one of them sent twice:
//
//	a1 names Acme          wiki/1 (twice), wiki/2, blog.zoom
//	a2 names nobody        wiki/1, shop.example
//	a3 names Zoom          notacme.com
func quoted() *World {
	w := small()
	w.Answers = []Answer{
		cites(run("a1", 11, "openai", "2026-03-02T09:00:00Z", 101),
			"https://wiki.example/1", "wiki.example", "https://wiki.example/1", "wiki.example",
			"https://wiki.example/2", "wiki.example", "https://blog.zoom.example/", "blog.zoom.example"),
		cites(run("a2", 11, "openai", "2026-03-02T09:00:00Z"),
			"https://wiki.example/1", "wiki.example", "https://shop.example/a", "shop.example"),
		cites(run("a3", 12, "claude", "2026-03-04T09:00:00Z", 201),
			"https://notacme.com/", "notacme.com"),
	}
	return w
}

func citations(groupBy api.CitationGrouping) api.CitationsRequest {
	return api.CitationsRequest{PromptsRequest: acme(), GroupBy: groupBy}
}

// wiki.example has three citations: /1 by a1 (once) and a2, /2 by a1.
// blog.zoom.example is a subdomain of Zoom's domain, so Zoom is associated
// beside Acme, which its answer names. shop.example is a partner website of
// Acme; the answer names nobody. notacme.com only looks like Acme's.
func TestByProperty(t *testing.T) {
	answer, status := quoted().Citations("acme", 101, citations(api.GroupProperty))
	if answer.ByPage != nil || answer.ByProduct != nil {
		t.Error("only byProperty was asked for")
	}
	expect(t, answer.ByProperty, status, `
		{"domain":"wiki.example","products":[{"name":"Acme Rocket","domain":"acme.com"}],"count":3,"isMentioned":true}
		{"domain":"blog.zoom.example","products":[{"name":"Acme Rocket","domain":"acme.com"},{"name":"Zoom Rockets","domain":"zoom.example"}],"count":1,"isMentioned":true}
		{"domain":"notacme.com","products":[{"name":"Zoom Rockets","domain":"zoom.example"}],"count":1,"isMentioned":false}
		{"domain":"shop.example","products":[{"name":"Acme Rocket","domain":"acme.com"}],"count":1,"isMentioned":false}`)
}

func TestByPage(t *testing.T) {
	answer, status := quoted().Citations("acme", 101, citations(api.GroupPage))
	if answer.ByProperty != nil || answer.ByProduct != nil {
		t.Error("only byPage was asked for")
	}
	expect(t, answer.ByPage, status, `
		{"domain":"wiki.example","url":"https://wiki.example/1","products":[{"name":"Acme Rocket","domain":"acme.com"}],"count":2,"isMentioned":true}
		{"domain":"blog.zoom.example","url":"https://blog.zoom.example/","products":[{"name":"Acme Rocket","domain":"acme.com"},{"name":"Zoom Rockets","domain":"zoom.example"}],"count":1,"isMentioned":true}
		{"domain":"notacme.com","url":"https://notacme.com/","products":[{"name":"Zoom Rockets","domain":"zoom.example"}],"count":1,"isMentioned":false}
		{"domain":"shop.example","url":"https://shop.example/a","products":[{"name":"Acme Rocket","domain":"acme.com"}],"count":1,"isMentioned":false}
		{"domain":"wiki.example","url":"https://wiki.example/2","products":[{"name":"Acme Rocket","domain":"acme.com"}],"count":1,"isMentioned":true}`)
}

// Acme: the three of a1, and shop.example. Zoom: the one of a3 and its own blog.
func TestByProduct(t *testing.T) {
	answer, status := quoted().Citations("acme", 101, citations(api.GroupProduct))
	if answer.ByProperty != nil || answer.ByPage != nil {
		t.Error("only byProduct was asked for")
	}
	expect(t, answer.ByProduct, status, `
		{"name":"Acme Rocket","domain":"acme.com","count":4,"isMentioned":true}
		{"name":"Zoom Rockets","domain":"zoom.example","count":2,"isMentioned":true}`)
}

func TestAProductCanBeCitedWithoutBeingMentioned(t *testing.T) {
	w := quoted()
	w.Answers = w.Answers[:1]
	answer, status := w.Citations("acme", 101, citations(api.GroupProduct))
	expect(t, answer.ByProduct, status, `
		{"name":"Acme Rocket","domain":"acme.com","count":3,"isMentioned":true}
		{"name":"Zoom Rockets","domain":"zoom.example","count":1,"isMentioned":false}`)
}

func TestAllGroupingsAreEmptyArraysWhenNothingIsCited(t *testing.T) {
	answer, status := small().Citations("acme", 101, citations(api.GroupAll))
	expect(t, answer, status, `{"byProperty":[],"byPage":[],"byProduct":[]}`)
}

func TestNothingOutsideTheComparisonShows(t *testing.T) {
	w := small()
	w.Answers = []Answer{cites(run("a1", 11, "openai", "2026-03-02T09:00:00Z", 401),
		"https://stranger.example/", "stranger.example")}
	answer, status := w.Citations("acme", 101, citations(api.GroupAll))
	expect(t, answer, status, `{"byProperty":[{"domain":"stranger.example","products":[],"count":1,"isMentioned":false}],`+
		`"byPage":[{"domain":"stranger.example","url":"https://stranger.example/","products":[],"count":1,"isMentioned":false}],"byProduct":[]}`)
}

func TestOwnership(t *testing.T) {
	acme, _ := small().product(101)
	for domain, want := range map[string]bool{
		"acme.com":         true,
		"blog.acme.com":    true,
		"a.b.acme.com":     true,
		"old.acme.com":     true, // untracked
		"x.gone.example":   true, // partner, untracked
		"notacme.com":      false,
		"acme.com.example": false,
		"example":          false,
	} {
		if acme.owns(domain) != want {
			t.Errorf("%s: owned %v, want %v", domain, !want, want)
		}
	}
}

func TestEqualCountsAreOrderedByDomainThenURLOrName(t *testing.T) {
	w := small()
	w.Catalog[2].Name, w.Catalog[3].Name = "Twin", "Twin"
	w.Answers = []Answer{cites(run("a1", 11, "openai", "2026-03-02T09:00:00Z", 201, 301),
		"https://b.example/", "b.example", "http://a.example/", "a.example", "https://a.example/B", "a.example", "https://a.example/a", "a.example")}
	answer, _ := w.Citations("acme", 101, citations(api.GroupAll))
	for i, want := range []string{"http://a.example/", "https://a.example/B", "https://a.example/a", "https://b.example/"} {
		if answer.ByPage[i].URL != want {
			t.Errorf("page %d is %s, want %s", i, answer.ByPage[i].URL, want)
		}
	}
	for i, want := range []string{"orbit.io", "zoom.example"} {
		if got := answer.ByPage[0].Products[i].Domain; got != want {
			t.Errorf("twin %d of a page is %s, want %s", i, got, want)
		}
		if got := answer.ByProduct[i].Domain; got != want {
			t.Errorf("twin %d of byProduct is %s, want %s", i, got, want)
		}
	}
}
