package data

import "fmt"

// Agent is a user agent, and who it is.
type Agent struct {
	Text              string
	platform, botType string
	weight            int // of bots: how often it comes
}

// crawlers are the bots, each in several versions.
func crawlers() (all []*Agent) {
	for _, kind := range []struct {
		format, platform, botType string
		weight, versions          int
	}{
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.%d; +https://openai.com/gptbot)", "openai", "gptbot", 160, 8},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.%d; +https://openai.com/bot", "openai", "chatgpt-user", 120, 6},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.%d; +https://openai.com/searchbot", "openai", "oai-searchbot", 60, 4},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.%d; +claudebot@anthropic.com)", "claude", "claudebot", 110, 6},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.%d; +Claude-User@anthropic.com)", "claude", "claude-user", 30, 3},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.%d; +https://perplexity.ai/perplexitybot)", "perplexity", "perplexitybot", 60, 4},
		{"Mozilla/5.0 (compatible; Googlebot/2.%d; +http://www.google.com/bot.html)", "google", "googlebot", 160, 5},
		{"Mozilla/5.0 (compatible; bingbot/2.%d; +http://www.bing.com/bingbot.htm)", "microsoft", "bingbot", 90, 4},
		{"Mozilla/5.0 (compatible; Bytespider/1.%d; spider-feedback@bytedance.com)", "bytedance", "bytespider", 60, 4},
		{"Mozilla/5.0 (compatible; AhrefsBot/7.%d; +http://ahrefs.com/robot/)", "other", "other", 80, 6},
		{"python-requests/2.%d.0", "other", "other", 70, 30},
	} {
		for version := range kind.versions {
			all = append(all, &Agent{fmt.Sprintf(kind.format, version), kind.platform, kind.botType, kind.weight / kind.versions})
		}
	}
	return all
}

// browsers are those of humans.
func browsers() (all []*Agent) {
	for _, format := range []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.%d.0 Safari/537.36",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.%d.0 Safari/537.36",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.%d.0 Mobile Safari/537.36",
		"Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/%[1]d.%d",
	} {
		for major := range 30 {
			for minor := range 20 {
				all = append(all, &Agent{Text: fmt.Sprintf(format, 100+major, minor), platform: "none", botType: "none"})
			}
		}
	}
	return all
}

// referrer is where a human came from. An empty one is none; "own" is the website itself.
type referrer struct {
	text, query string
	weight      int
	referred    bool
	platform    string
}

const own = "own"

var referrers = []referrer{
	{"", "", 480, false, "none"},
	{own, "", 160, false, "none"},
	{"https://www.google.com/", "", 150, true, "none"},
	{"https://news.ycombinator.com/", "", 50, true, "none"},
	{"", "?utm_source=newsletter", 30, true, "none"},
	{"https://www.bing.com/", "", 30, true, "none"},
	{"https://chatgpt.com/", "", 50, true, "openai"},
	{"https://chatgpt.com/", "?utm_source=chatgpt.com", 20, true, "openai"},
	{"https://www.perplexity.ai/", "", 15, true, "perplexity"},
	{"https://claude.ai/", "", 10, true, "claude"},
	{"https://gemini.google.com/", "", 5, true, "gemini"},
}
