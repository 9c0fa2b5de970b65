package ingest

import (
	"path"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/weburl"
)

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

func (v *visits) outcome(h *hit) outcome {
	platform, botType, bot := v.agent(h)
	if reason := noVisit(h, bot); reason != "" {
		return outcome{dropped: reason}
	}
	referred := false
	if !bot {
		from := foreign(h)
		referred = from != "" || h.page.UTMSource != ""
		if p, ok := v.agents.ReferredBy(h.page.UTMSource, from); ok {
			platform = p
		}
	}
	if h.platform != "" {
		platform = h.platform
	}
	return outcome{visit: h.visit(bot, referred, platform, botType, v.visitors.id(h))}
}

// agent finds out whether a bot came, and which. What the sender gives is taken.
func (v *visits) agent(h *hit) (platform, botType string, bot bool) {
	switch h.botType {
	case "":
		platform, botType, bot = v.agents.Bot(h.userAgent)
	case api.BotTypeNone:
		platform, botType = api.PlatformNone, api.BotTypeNone
	default:
		botType, bot = h.botType, true
		var known bool
		if platform, known = v.agents.PlatformOf(botType); !known {
			platform = api.PlatformOther
		}
	}
	return platform, botType, bot
}

// foreign is the referrer, unless it is on the page's own host.
func foreign(h *hit) string {
	if host := weburl.ReferrerHost(h.referrer); host == "" || host == h.page.Host {
		return ""
	}
	return h.referrer
}

// noVisit says why a hit is no visit, or nothing.
func noVisit(h *hit, bot bool) string {
	switch {
	case h.method != "GET" && !(bot && h.method == "HEAD"):
		return droppedMethod
	case (h.status < 200 || h.status > 299) && h.status != 304:
		return droppedStatus
	}
	switch asset[strings.ToLower(path.Ext(h.page.Path))] {
	case always:
		return droppedAsset
	case humansOnly:
		if !bot {
			return droppedAsset
		}
	}
	return ""
}

// dropping says for whom a kind of file is a static asset.
type dropping int

const (
	always     dropping = iota + 1
	humansOnly          // bots read these for their text
)

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
