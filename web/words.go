package web

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Figures and names as people read them.

// none stands where there is no value.
const none = "–"

// percent writes a share.
func percent(v *float64) string {
	if v == nil {
		return none
	}
	return fmt.Sprintf("%.1f %%", *v*100)
}

func decimal(v *float64) string {
	if v == nil {
		return none
	}
	return fmt.Sprintf("%.2f", *v)
}

func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func countOf(n *int64) string {
	if n == nil {
		return none
	}
	return count(*n)
}

// share is a part of the largest count, for a bar.
func share(n, most int64) float64 {
	if most <= 0 {
		return 0
	}
	return float64(n) / float64(most)
}

// drawn is a share as a length of a hundred, whatever the share: a figure that
// makes no sense must not make a picture that is none.
func drawn(v float64) string {
	if math.IsNaN(v) {
		v = 0
	}
	return fmt.Sprintf("%.1f", min(100, max(0, v*100)))
}

// day writes a date for people.
func day(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// platformNames are the usual spellings; others are shown as they come.
var platformNames = map[string]string{
	"openai": "OpenAI", "gemini": "Gemini", "google": "Google", "perplexity": "Perplexity", "claude": "Claude",
	"google_ai_overviews": "Google AI Overviews", "anthropic": "Anthropic", "microsoft": "Microsoft", "meta": "Meta",
	"apple": "Apple", "amazon": "Amazon", "mistral": "Mistral", "deepseek": "DeepSeek", "xai": "xAI", "bing": "Bing",
	"commoncrawl": "Common Crawl", "copilot": "Copilot", "duckduckgo": "DuckDuckGo", "bytedance": "ByteDance",
	"other": "other bots", "none": "no AI platform",
}

func platformName(s string) string {
	if name, ok := platformNames[s]; ok {
		return name
	}
	return s
}

// webLink returns an address if it is one that may be linked to.
func webLink(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return s
}

// shortURL is an address without what all of them have.
func shortURL(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
}

// curl is a call as one would type it. The key is a variable: whoever has it
// knows it.
func curl(call string) string {
	return `curl -gsS -H "Authorization: Bearer $SIGHTLINE_API_KEY" '` + call + "'"
}
