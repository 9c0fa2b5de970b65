package ingest

import (
	"net/netip"
	"path"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// hit is a request to a website, from whatever kind of input, before it is
// decided whether it is a visit and whose.
type hit struct {
	id        string
	second    int64
	websiteID string
	host      string // of the page, a bare domain
	page      *page
	method    string
	status    int
	agent     *agent
	referrer  *referrer
	ip        netip.Addr
	visitorID string
	platform  string // given by the sender, or empty
	botType   string // likewise
}

// visits decides which hits are visits, and of whom (S17, S18).
type visits struct {
	agents   *agents.Table
	visitors *visitors
}

// Reasons for which a hit is no visit.
const (
	droppedMethod = "method other than GET (bots: or HEAD)"
	droppedStatus = "status other than 2xx or 304"
	droppedAsset  = "static asset"
)

func (v *visits) judge(h *hit, d *desk, r *results) {
	platform, botType, bot := v.who(h)
	if reason := noVisit(h, bot); reason != "" {
		r.drop(reason)
		return
	}
	visit := facts.Visit{ID: h.id, Second: h.second, WebsiteID: h.websiteID, Bot: bot, Page: &h.page.Page, Agent: &h.agent.Agent}
	if !bot {
		botType = api.BotTypeNone
		visit.Visitor = v.visitors.id(h, d)
		from := h.referrer
		if from.host == h.host {
			from = noReferrer // its own host is none
		}
		visit.Referred = from.host != "" || h.page.utmSource != ""
		if p := v.referredBy(h.page.utmSource, from); p != "" {
			platform = p
		}
	}
	if h.platform != "" {
		platform = h.platform
	}
	visit.Origin = d.origin(platform, botType)
	r.visits = append(r.visits, visit)
}

// who finds out whether a bot came, and which. What the sender gives is taken.
func (v *visits) who(h *hit) (platform, botType string, bot bool) {
	switch h.botType {
	case "":
		return h.agent.platform, h.agent.botType, h.agent.bot
	case api.BotTypeNone:
		return api.PlatformNone, api.BotTypeNone, false
	}
	platform, known := v.agents.PlatformOf(h.botType)
	if !known {
		platform = api.PlatformOther
	}
	return platform, h.botType, true
}

// referredBy is the AI platform that sent a human, or nothing.
func (v *visits) referredBy(utmSource string, from *referrer) string {
	if utmSource == "" {
		return from.platform
	}
	platform, _ := v.agents.ReferredBy(utmSource, from.raw)
	return platform
}

// agent knows a user agent.
func (v *visits) agent(text []byte, d *desk) *agent {
	a, _ := d.agents.of(text, func(text string) (*agent, error) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		a := &agent{Agent: facts.Agent{UserAgent: text}}
		a.platform, a.botType, a.bot = v.agents.Bot(text)
		return a, nil
	})
	return a
}

// noReferrer is that of most visits.
var noReferrer = &referrer{}

// referrer knows a referrer.
func (v *visits) referrer(text []byte, d *desk) *referrer {
	if len(text) == 0 {
		return noReferrer
	}
	from, _ := d.referrers.of(text, func(text string) (*referrer, error) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		from := &referrer{raw: text, host: weburl.ReferrerHost(text)}
		if from.host != "" {
			from.platform, _ = v.agents.ReferredBy("", text)
		}
		return from, nil
	})
	return from
}

// noVisit says why a hit is no visit, or nothing.
func noVisit(h *hit, bot bool) string {
	switch {
	case h.method != "GET" && !(bot && h.method == "HEAD"):
		return droppedMethod
	case (h.status < 200 || h.status > 299) && h.status != 304:
		return droppedStatus
	case h.page.asset == always, h.page.asset == humansOnly && !bot:
		return droppedAsset
	}
	return ""
}

// dropping says for whom a kind of file is a static asset.
type dropping int

const (
	always     dropping = iota + 1
	humansOnly          // bots read these for their text
)

// assetOf says whether a path is that of a static asset.
func assetOf(urlPath string) dropping { return asset[strings.ToLower(path.Ext(urlPath))] }

var asset = assets()

func assets() map[string]dropping {
	m := make(map[string]dropping)
	for _, e := range strings.Fields(`gif jpg jpeg png bmp ico svg svgz webp avif ttf otf eot woff woff2 css js mjs map
		swf class mp3 mp4 webm ogg wav avi mov zip gz tar rar 7z exe dmg apk iso`) {
		m["."+e] = always
	}
	for _, e := range strings.Fields("txt md xml json pdf") {
		m["."+e] = humansOnly
	}
	return m
}
