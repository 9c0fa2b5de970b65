package ingest

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/sightline-hq/sightline/internal/catalog"
)

// pageviewLine is a line of pageviews as it is sent.
type pageviewLine struct {
	ID        string `json:"id"`
	At        string `json:"at"`
	WebsiteID string `json:"websiteId"`
	URL       string `json:"url"`
	Method    string `json:"method"`
	Status    *int   `json:"status"`
	UserAgent string `json:"userAgent"`
	Referrer  string `json:"referrer"`
	IP        string `json:"ip"`
	VisitorID string `json:"visitorId"`
	Platform  string `json:"platform"`
	BotType   string `json:"botType"`
}

// pageviews parses lines of pageviews.
type pageviews struct {
	objects
	catalog *catalog.Snapshot
	visits  visits
}

func (p *pageviews) read(text []byte, d *desk, r *results) {
	l := pageviewLine{Method: "GET"}
	if why := decode(text, &l); why != nil {
		r.refuse(why)
		return
	}
	p.take(&l, d, r)
}

// take judges a pageview.
func (p *pageviews) take(l *pageviewLine, d *desk, r *results) {
	h := hit{
		id: l.ID, status: 200, method: strings.ToUpper(l.Method), agent: p.visits.agent([]byte(l.UserAgent), d),
		referrer: p.visits.referrer([]byte(l.Referrer), d), visitorID: l.VisitorID, platform: l.Platform, botType: l.BotType,
	}
	if l.Status != nil {
		h.status = *l.Status
	}
	if why := p.fill(&h, l, d); why != nil {
		r.refuse(why)
		return
	}
	p.visits.judge(&h, d, r)
}

// fill checks the fields and translates them.
func (p *pageviews) fill(h *hit, l *pageviewLine, d *desk) (r *rejection) {
	switch {
	case l.WebsiteID == "":
		return &rejection{missingField, "websiteId"}
	case l.URL == "":
		return &rejection{missingField, "url"}
	case h.method == "":
		return &rejection{badField, "method is empty"}
	case h.status < 100 || h.status > 599:
		return &rejection{badField, fmt.Sprintf("status %d is no HTTP status", h.status)}
	}
	if h.second, r = second(l.At); r != nil {
		return r
	}
	for _, f := range []struct {
		field, value string
		limit        int
	}{
		{"id", l.ID, maxIDBytes}, {"visitorId", l.VisitorID, maxIDBytes}, {"platform", l.Platform, maxNameBytes},
		{"botType", l.BotType, maxNameBytes},
	} {
		if r := name(f.field, f.value, f.limit); r != nil {
			return r
		}
	}
	if len(l.UserAgent) > maxAgentBytes {
		return &rejection{badField, fmt.Sprintf("userAgent is longer than %d bytes", maxAgentBytes)}
	}
	website, ok := p.catalog.Website(l.WebsiteID)
	if !ok {
		return &rejection{unknownWebsite, fmt.Sprintf("websiteId %s is not in the workspace: run sightline apply first", shorten(l.WebsiteID))}
	}
	h.websiteID = l.WebsiteID
	var err error
	if h.page, err = d.pages.of([]byte(l.URL), newPage); err != nil {
		return &rejection{badURL, err.Error()}
	}
	if h.host = h.page.host; h.host == "" {
		h.host = website.Domain
	}
	if l.IP != "" {
		if h.ip, err = netip.ParseAddr(l.IP); err != nil {
			return &rejection{badField, "ip is no address"}
		}
	}
	return nil
}
