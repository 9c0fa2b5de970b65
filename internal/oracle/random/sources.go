package random

// referrer is a referrer header, its bare host, and the AI platform behind it.
type referrer struct {
	sent, host, platform string
}

var referrers = []referrer{
	{"https://chatgpt.com/", "chatgpt.com", "openai"},
	{"HTTPS://ChatGPT.com:443/c/1", "chatgpt.com", "openai"},
	{"https://chat.openai.com/", "chat.openai.com", "openai"},
	{"android-app://com.openai.chatgpt/", "com.openai.chatgpt", "openai"},
	{"https://www.perplexity.ai/search?q=rockets", "perplexity.ai", "perplexity"},
	{"https://claude.ai/chat/1", "claude.ai", "claude"},
	{"https://gemini.google.com/app", "gemini.google.com", "gemini"},
	{"https://copilot.microsoft.com/", "copilot.microsoft.com", "microsoft"},
	{"https://x.com/i/grok", "x.com", "xai"},
	{"https://x.com/", "x.com", "none"},
	{"https://www.google.com/", "google.com", "none"},
	{"https://duckduckgo.com/", "duckduckgo.com", "none"},
	{"https://news.example/item?id=1", "news.example", "none"},
	{"https://notchatgpt.com/", "notchatgpt.com", "none"},
	{"https://chatgpt.com.evil.example/", "chatgpt.com.evil.example", "none"},
}

// ownReferrers are spellings of the page's own host.
var ownReferrers = []func(host string) string{
	func(host string) string { return "https://" + host + "/" },
	func(host string) string { return "https://www." + host + "/blog?a=1" },
	func(host string) string { return "http://" + upper(host) + ":8080/" },
	func(host string) string { return "https://" + host + "./" },
}

// tail is what follows a path in a page's URL, and the utm_source in it.
type tail struct {
	sent, utmSource, utmPlatform string
}

var plainTails = []tail{
	{"", "", "none"},
	{"?a=1", "", "none"},
	{"#top", "", "none"},
	{"?utm_source=", "", "none"},
	{"?utm_medium=ai-assistant", "", "none"},
	{"?xutm_source=chatgpt.com", "", "none"},
	{"?a=utm_source", "", "none"},
	{"#x?utm_source=chatgpt.com", "", "none"},
}

var utmTails = []tail{
	{"?utm_source=chatgpt.com", "chatgpt.com", "openai"},
	{"?a=1&utm_source=chatgpt.com&b=2#c", "chatgpt.com", "openai"},
	{"?utm_source=chatgpt%2Ecom", "chatgpt.com", "openai"},
	{"?utm_source=perplexity", "perplexity", "perplexity"},
	{"?utm_source=claude.ai", "claude.ai", "claude"},
	{"?utm_source=copilot.com&utm_medium=referral", "copilot.com", "microsoft"},
	{"?utm_source=gemini.google.com", "gemini.google.com", "gemini"},
	{"?utm_source=newsletter", "newsletter", "none"},
	{"?utm_source=linkedin&utm_campaign=spring", "linkedin", "none"},
}
