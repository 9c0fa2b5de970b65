package random

import "github.com/sightline-hq/sightline/internal/oracle"

// agent is a user agent as it appears in requests, and what it belongs to.
type agent struct {
	userAgent string
	oracle.Agent
}

func bot(userAgent, platform, botType string) agent {
	return agent{userAgent, oracle.Agent{Bot: true, Platform: platform, BotType: botType}}
}

func browser(userAgent string) agent { return agent{userAgent: userAgent} }

var browsers = []agent{
	browser("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"),
	browser("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"),
	browser("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"),
	browser("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 Edg/125.0.0.0"),
}

// plainBots are bots, but no AI agents. An empty user agent is one of them.
var plainBots = []agent{
	bot("curl/8.5.0", "other", "other"),
	bot("python-requests/2.31.0", "other", "other"),
	bot("Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "other", "other"),
	bot("", "other", "other"),
}

var aiAgents = []agent{
	bot("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", "openai", "gptbot"),
	bot("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)", "openai", "gptbot"),
	bot("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)", "openai", "chatgpt-user"),
	bot("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)", "openai", "oai-searchbot"),
	bot("ChatGPT Agent/1.0", "openai", "chatgpt-agent"),
	bot("Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", "claude", "claudebot"),
	bot("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)", "claude", "claude-user"),
	bot("Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)", "perplexity", "perplexitybot"),
	bot("Mozilla/5.0 (compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)", "perplexity", "perplexity-user"),
	bot("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "google", "googlebot"),
	bot("Mozilla/5.0 (compatible; Google-Extended/1.0; +http://www.google.com/bot.html)", "gemini", "google-extended"),
	bot("Mozilla/5.0 (compatible; Gemini-Deep-Research; +https://gemini.google/overview/deep-research/)", "gemini", "gemini-deep-research"),
	bot("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "microsoft", "bingbot"),
	bot("meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", "meta", "meta-externalagent"),
	bot("Mozilla/5.0 (compatible; Applebot/0.1; +http://www.apple.com/go/applebot)", "apple", "applebot"),
	bot("Mozilla/5.0 (compatible; Applebot-Extended/0.1; +http://www.apple.com/go/applebot)", "apple", "applebot-extended"),
	bot("Mozilla/5.0 (compatible; Ai2Bot-Dolma/1.0; +https://www.allenai.org/crawler)", "allenai", "ai2bot-dolma"),
	bot("Mozilla/5.0 (compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)", "amazon", "amazonbot"),
	bot("Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)", "bytedance", "bytespider"),
	bot("CCBot/2.0 (https://commoncrawl.org/faq/)", "commoncrawl", "ccbot"),
	bot("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)", "mistral", "mistralai-user"),
	bot("Devin/1.0 (+https://devin.ai)", "cognition", "devin"),
}

// given is a platform and a bot type that the sender states itself, and the
// platform that the bot type alone would mean.
type given struct {
	platform, botType, botTypePlatform string
}

var givens = []given{
	{botType: "gptbot", botTypePlatform: "openai"},
	{botType: "claudebot", botTypePlatform: "claude"},
	{botType: "perplexity-user", botTypePlatform: "perplexity"},
	{botType: "mystery-bot", botTypePlatform: "other"},
	{botType: "other", botTypePlatform: "other"},
	{botType: "none"},
	{botType: "none", platform: "claude"},
	{botType: "gptbot", platform: "acme-ai", botTypePlatform: "openai"},
	{platform: "perplexity"},
	{platform: "none"},
	{platform: "other"},
}
