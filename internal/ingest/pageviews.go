package ingest

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/weburl"
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
	catalog *catalog.Snapshot
	visits  visits
}

func (p *pageviews) parse(text []byte) outcome {
	l := pageviewLine{Method: "GET"}
	if r := decode(text, &l); r != nil {
		return outcome{rejected: r}
	}
	h := hit{
		id: l.ID, status: 200, method: strings.ToUpper(l.Method), userAgent: l.UserAgent, referrer: l.Referrer,
		visitorID: l.VisitorID, platform: l.Platform, botType: l.BotType,
	}
	if l.Status != nil {
		h.status = *l.Status
	}
	if r := p.fill(&h, &l); r != nil {
		return outcome{rejected: r}
	}
	return p.visits.outcome(&h)
}

// fill checks the fields and translates them.
func (p *pageviews) fill(h *hit, l *pageviewLine) (r *rejection) {
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
	if h.page, err = weburl.ParsePage(l.URL); err != nil {
		return &rejection{badURL, err.Error()}
	}
	if h.page.Host == "" {
		h.page.Host = website.Domain
	}
	if l.IP != "" {
		if h.ip, err = netip.ParseAddr(l.IP); err != nil {
			return &rejection{badField, "ip is no address"}
		}
	}
	return nil
}

// hit is a request to a website, from whatever kind of input, before it is
// decided whether it is a visit and whose.
type hit struct {
	id        string
	second    int64
	websiteID string
	page      weburl.Page
	method    string
	status    int
	userAgent string
	referrer  string
	ip        netip.Addr
	visitorID string
	platform  string // given by the sender, or empty
	botType   string // likewise
}

// facts makes the visit of a hit.
func (h *hit) visit(bot, referred bool, platform, botType string, visitor uint64) *facts.Visit {
	path := weburl.NormalizePath(h.page.Path)
	if !bot {
		botType = api.BotTypeNone
	}
	return &facts.Visit{
		ID: h.id, Second: h.second, WebsiteID: h.websiteID, Bot: bot, Referred: referred,
		Platform: platform, BotType: botType, Visitor: visitor,
		URLPath: h.page.Path, NormalizedURLPath: path, URLPathDirectory: weburl.Directory(path),
		UserAgent: h.userAgent,
	}
}
