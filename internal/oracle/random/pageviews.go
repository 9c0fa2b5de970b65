package random

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// pageviews draws lines for the websites of all products. Some have the id of
// an earlier one, and so replace it.
func pageviews(t *rapid.T, products []oracle.Product, days []time.Time) (list []oracle.Pageview) {
	var websites []oracle.Website
	for _, p := range products {
		websites = append(websites, p.Websites...)
	}
	if len(websites) == 0 {
		return nil
	}
	// Few websites and browsers have most of the visits, so that rows are full.
	people, busy := some(t, browsers, 1), shuffled(t, websites)
	busy = busy[:min(3, len(busy))]
	var ids []string
	for i := range pick(t, []int{60, 0, 4, 25, 60, 150, 150, 150, 400, 400}) {
		site := pick(t, busy)
		if percent(t, 25) {
			site = pick(t, websites)
		}
		l := pageview(t, site, people, days)
		if percent(t, 30) {
			l.ID = fmt.Sprintf("v-%d", i)
			if len(ids) > 0 && percent(t, 30) {
				l.ID = pick(t, ids)
			}
			ids = append(ids, l.ID)
		}
		list = append(list, l)
	}
	return list
}

func pageview(t *rapid.T, site oracle.Website, people []agent, days []time.Time) oracle.Pageview {
	l := oracle.Pageview{At: moment(t, days), WebsiteID: site.ID}
	l.Truth.PageHost = site.Domain
	setAgent(t, &l, people)
	setURL(t, &l)
	setReferrer(t, &l)
	setResponse(t, &l)
	setVisitor(t, &l)
	if percent(t, 12) {
		g := pick(t, givens)
		l.Platform, l.BotType, l.Truth.BotTypePlatform = g.platform, g.botType, g.botTypePlatform
	}
	return l
}

func setAgent(t *rapid.T, l *oracle.Pageview, people []agent) {
	kind := people
	if percent(t, 50) {
		kind = aiAgents
		if percent(t, 20) {
			kind = plainBots
		}
	}
	a := pick(t, kind)
	l.UserAgent, l.Truth.Agent = a.userAgent, a.Agent
}

func setURL(t *rapid.T, l *oracle.Pageview) {
	host := l.Truth.PageHost
	if percent(t, 25) {
		host = pick(t, []string{"www." + host, upper(host), host + ":443", "www." + host + ":8443"})
	}
	p := pick(t, pages)
	if percent(t, 20) {
		p = pick(t, files)
	}
	end := pick(t, plainTails)
	if percent(t, 25) {
		end = pick(t, utmTails)
	}
	l.URL = "https://" + host + p.sent + end.sent
	l.Truth.URLPath, l.Truth.NormalizedPath = p.sent, p.normalized
	l.Truth.Directory, l.Truth.File = p.directory, p.file
	l.Truth.UTMSource, l.Truth.UTMPlatform = end.utmSource, end.utmPlatform
	if p.sent == "" {
		l.Truth.URLPath = "/"
	}
}

func setReferrer(t *rapid.T, l *oracle.Pageview) {
	l.Truth.ReferrerPlatform = "none"
	switch upTo(t, 4) {
	case 2:
		l.Referrer, l.Truth.ReferrerHost = pick(t, ownReferrers)(l.Truth.PageHost), l.Truth.PageHost
	case 3:
		r := pick(t, referrers)
		l.Referrer, l.Truth.ReferrerHost, l.Truth.ReferrerPlatform = r.sent, r.host, r.platform
	}
}

// setResponse leaves method and status away in half of the lines.
func setResponse(t *rapid.T, l *oracle.Pageview) {
	if !percent(t, 50) {
		return
	}
	l.Method = pick(t, []string{"GET", "GET", "GET", "HEAD", "HEAD", "POST", ""})
	l.Status = pick(t, []int{200, 200, 204, 206, 304, 304, 301, 404, 500, 0})
}

// addresses include two of the same /64 and one beside it.
var addresses = []string{
	"203.0.113.9", "203.0.113.10", "2001:db8:1:2::1", "2001:0db8:0001:0002:ffff::7", "2001:db8:1:3::1", "",
}

func setVisitor(t *rapid.T, l *oracle.Pageview) {
	l.IP = pick(t, addresses)
	if percent(t, 15) {
		l.VisitorID = pick(t, []string{"u1", "u2", "u3"})
	}
}

// activeWebsites are the ids that the product's traffic is counted for.
func activeWebsites(p oracle.Product) (ids []string) {
	for _, s := range p.Websites {
		if !s.Untracked {
			ids = append(ids, s.ID)
		}
	}
	return ids
}
