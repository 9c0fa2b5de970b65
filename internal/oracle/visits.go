package oracle

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"
)

// visit is a pageview that counts, with everything the metrics ask about it.
type visit struct {
	id, website                    string
	at                             time.Time
	bot                            bool
	platform, botType              string
	referred, aiReferred           bool
	visitor, userAgent             string
	urlPath, normalized, directory string
}

// visits is what a load keeps: lines that are no visit are dropped, so they
// replace nothing; a visit replaces the older ones with its id.
func (w *World) visits() (kept []visit) {
	for _, line := range w.Pageviews {
		if !line.counts() {
			continue
		}
		if line.ID != "" {
			kept = slices.DeleteFunc(kept, func(v visit) bool { return v.id == line.ID })
		}
		kept = append(kept, line.visit())
	}
	return kept
}

// isBot follows a bot type that was sent, else the user agent (S17).
func (l Pageview) isBot() bool {
	if l.BotType != "" {
		return l.BotType != "none"
	}
	return l.Truth.Agent.Bot
}

// counts says what is a visit.
func (l Pageview) counts() bool {
	method, status := l.Method, l.Status
	if method == "" {
		method = http.MethodGet
	}
	if status == 0 {
		status = http.StatusOK
	}
	if status/100 != 2 && status != http.StatusNotModified {
		return false
	}
	if l.isBot() {
		return (method == http.MethodGet || method == http.MethodHead) && l.Truth.File != Asset
	}
	return method == http.MethodGet && l.Truth.File == Page
}

func (l Pageview) visit() visit {
	v := visit{
		id: l.ID, website: l.WebsiteID, at: l.At.Time,
		bot: l.isBot(), platform: l.platform(), botType: l.botType(),
		visitor: l.visitor(), userAgent: l.UserAgent,
		urlPath: l.Truth.URLPath, normalized: l.Truth.NormalizedPath, directory: l.Truth.Directory,
	}
	v.referred = !v.bot && l.referred()
	v.aiReferred = v.referred && v.platform != "none" && v.platform != "other"
	return v
}

func (l Pageview) botType() string {
	switch {
	case l.BotType != "":
		return l.BotType
	case l.Truth.Agent.Bot:
		return l.Truth.Agent.BotType
	default:
		return "none"
	}
}

func (l Pageview) platform() string {
	switch {
	case l.Platform != "":
		return l.Platform
	case !l.isBot():
		return l.referringPlatform()
	case l.BotType != "":
		return l.Truth.BotTypePlatform
	default:
		return l.Truth.Agent.Platform
	}
}

// referringPlatform looks at utm_source first (S18).
func (l Pageview) referringPlatform() string {
	if l.Truth.UTMPlatform != "none" {
		return l.Truth.UTMPlatform
	}
	return l.Truth.ReferrerPlatform
}

func (l Pageview) referred() bool {
	if l.Truth.UTMSource != "" {
		return true
	}
	return l.Truth.ReferrerHost != "" && l.Truth.ReferrerHost != l.Truth.PageHost
}

// visitor tells visitors apart like S19, without the hash.
func (l Pageview) visitor() string {
	if l.VisitorID != "" {
		return fmt.Sprintf("sent %q %q", l.WebsiteID, l.VisitorID)
	}
	year, week := l.At.Time.ISOWeek()
	return fmt.Sprintf("seen %q %s %q %d-%d", l.WebsiteID, network(l.IP), l.UserAgent, year, week)
}

// network cuts an IPv6 address to its /64.
func network(ip string) string {
	addr, err := netip.ParseAddr(ip)
	if err != nil || addr.Is4() {
		return ip
	}
	prefix, _ := addr.Prefix(64)
	return prefix.String()
}
