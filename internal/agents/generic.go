package agents

import (
	"strings"

	"zgo.at/isbot"
)

// isGenericBot leaves the judgement to isbot, by the user agent alone: address
// ranges would call everyone behind a company's proxy a bot. isbot calls what
// has no space, no slash or fewer than ten bytes a bot, and with it "" and "-".
// Where it is plainly wrong it is corrected, both ways.
func isGenericBot(userAgent string) bool {
	reason := isbot.UserAgent(userAgent)
	if reason == isbot.BotBoty {
		return !isPhoneNamedBot(userAgent)
	}
	return isbot.Is(reason) || isMissedBot(userAgent)
}

// phonesNamedBot are models whose name makes isbot take their browsers for
// bots; its own tests list them as known mistakes.
var phonesNamedBot = []string{"; M bot ", "; M_bot_", "; B BOT ", "; VR BOT ", "; XBot "}

// isPhoneNamedBot looks at nothing but listed models: real bots do write
// themselves behind the name of a phone, as Storebot-Google does.
func isPhoneNamedBot(userAgent string) bool {
	for _, phone := range phonesNamedBot {
		if before, after, ok := strings.Cut(userAgent, phone); ok {
			return isbot.IsNot(isbot.UserAgent(before + "; " + after))
		}
	}
	return false
}

// missedBots are fetchers and monitors, unknown to the isbot of 2022, that come
// often enough (a monitor every minute, a preview for every shared link) to
// drown the humans of a small website.
var missedBots = []string{
	"aiohttp/", "Playwright/", "Selenium",
	"Google Favicon", "GoogleImageProxy", "SkypeUriPreview",
	"PingdomTMS/", "DatadogSynthetics", "NewRelicSynthetics", "ThousandEyes", "GTmetrix", " PTST/", "by Siteimprove",
}

func isMissedBot(userAgent string) bool {
	// Link previews; people who follow the link come with their browser's own.
	if strings.HasPrefix(userAgent, "WhatsApp/") {
		return true
	}
	// Bots introduce themselves with "compatible; name"; of the browsers that
	// people still use, only Internet Explorer and Konqueror do.
	if strings.Contains(userAgent, "compatible;") &&
		!strings.Contains(userAgent, "MSIE ") && !strings.Contains(userAgent, "Konqueror/") {
		return true
	}
	for _, mark := range missedBots {
		if strings.Contains(userAgent, mark) {
			return true
		}
	}
	return false
}
