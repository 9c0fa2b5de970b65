package demo

import (
	"io"
	"math/rand/v2"
	"time"
)

// Pageviews writes the pageviews with from < at <= to as NDJSON and returns their
// number: humans in sessions, bots, and what a loader drops (assets, errors).
func Pageviews(w io.Writer, from, to time.Time) (n int, err error) {
	return write(w, from, to, demoWorld().pageviews, appendPageview)
}

// Shares of visits.
const (
	perSession = 1.55 // human visits, on average
	otherShare = 0.40 // of human visits come from search and social sites
	goOn       = 0.36 // of the pages of a session are followed by another
	assetShare = 0.03 // of human visits ask for an asset
	deadShare  = 0.02 // of visits ask for a page that is not there
	fileShare  = 0.09 // of a crawler's visits ask for robots.txt and the like
	slashShare = 0.04 // of paths end with a slash that the site does not need
	people     = 6000 // who visit a website at all
)

type pageview struct {
	at        int
	site      *site
	head      bool
	status    int
	path      string
	slash     bool
	utmSource string
	userAgent string
	referrer  string // as it is, or
	previous  string // a path of the same site
	ip        address
}

func (p pageview) second() int { return p.at }

func (w *world) pageviews(list []pageview, d day) []pageview {
	r := d.rand("pageviews")
	for _, s := range w.sites {
		list = s.sessions(list, s.humans(d), s.aiShare(d), r)
		for range s.bots(d) {
			list = append(list, s.botVisit(r))
		}
	}
	return list
}

// sessions adds n human visits.
func (s *site) sessions(list []pageview, n int, aiShare float64, r *rand.Rand) []pageview {
	for end := len(list) + n; len(list) < end; {
		at := s.secondAt(r.Float64())
		// Some come again and again: the lower a number, the more often.
		luck := r.Float64()
		ip, browser := visitor(s.key, int64(people*luck*luck))
		from := arrive(aiShare, r)
		visit := pageview{at: at, site: s, status: 200, userAgent: browser, ip: ip,
			referrer: from.referrer, utmSource: from.utmSource, path: s.path(r.Float64(), true)}
		for {
			page := visit
			page.slash = r.Float64() < slashShare
			s.stray(&page, r)
			list = append(list, page)
			if len(list) == end || r.Float64() > goOn {
				break
			}
			visit.at += 15 + r.IntN(180)
			if visit.at >= secondsPerDay {
				break
			}
			visit.referrer, visit.utmSource, visit.previous = "", "", visit.path
			visit.path = s.path(r.Float64(), true)
		}
	}
	return list
}

// stray turns some visits into requests that are no visits.
func (s *site) stray(p *pageview, r *rand.Rand) {
	switch luck := r.Float64(); {
	case luck < assetShare:
		p.path, p.slash = assets[r.IntN(len(assets))], false
	case luck < assetShare+deadShare:
		p.path, p.status = deadPaths[r.IntN(len(deadPaths))], 404
	}
}

// arrive picks where a session comes from.
func arrive(aiShare float64, r *rand.Rand) (from origin) {
	switch luck := r.Float64() / perSession; {
	case luck < aiShare:
		return *aiOrigins.pick(r.Float64())
	case luck < aiShare+otherShare:
		return *otherOrigins.pick(r.Float64())
	}
	return origin{}
}

func (s *site) botVisit(r *rand.Rand) pageview {
	bot := bots.pick(r.Float64())
	p := pageview{site: s, status: 200, userAgent: bot.userAgent, ip: machine(bot.userAgent, r.IntN(4))}
	chance := r.Float64()
	switch bot.habit {
	case fetches:
		p.at = s.secondAt(r.Float64())
		p.path = s.path(chance, true)
	case watches:
		p.at = r.IntN(secondsPerDay)
		p.path, p.head = "/", true
	default:
		p.at = r.IntN(secondsPerDay)
		p.path = s.path(chance, false)
		if luck := r.Float64(); luck < fileShare {
			p.path = machineFiles[r.IntN(len(machineFiles))]
		} else if luck < fileShare+deadShare {
			p.path, p.status = deadPaths[r.IntN(len(deadPaths))], 404
		} else if luck > 0.95 {
			p.status = 304
		}
	}
	return p
}
