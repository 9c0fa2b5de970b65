package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"
)

// agent is a user agent with how often it comes, in parts of a thousand.
type agent struct {
	share int
	bot   bool
	text  string
}

// agents is who reads a website: mostly people, some bots, some AI agents.
var agents = []agent{
	{60, true, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"},
	{40, true, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot"},
	{40, true, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"},
	{20, true, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)"},
	{60, true, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
	{40, true, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"},
	{20, true, "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"},
	{20, true, "python-requests/2.31.0"},
}

// browsers are the people's; %d is a version, so that there are a few thousand.
var browsers = []string{
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.%d.0 Safari/537.36",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.%d.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_%d like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.%d Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/%[1]d.%d",
	"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.%d.0 Mobile Safari/537.36",
}

var referrers = []string{"-", "-", "-", "-", "https://www.google.com/", "https://www.google.com/", "https://chatgpt.com/",
	"https://www.perplexity.ai/", "https://www.bing.com/", "https://acme.com/", "https://acme.com/blog/", "https://news.ycombinator.com/"}

const days = 30

// generate writes a combined log: 30 days, 20,000 pages of which few get most
// of the visits, a quarter static assets, one in ten an error.
func generate(to io.Writer, lines int, seed uint64, progress func(done int)) error {
	random := rand.New(rand.NewPCG(seed, 1))
	w := bufio.NewWriterSize(to, 1<<20)
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for i := range lines {
		at := start.Add(time.Duration(float64(i) / float64(lines) * days * float64(24*time.Hour)))
		userAgent, bot := someone(random)
		referrer := "-"
		if !bot {
			referrer = referrers[random.IntN(len(referrers))]
		}
		// One address in a hundred thousand comes from a few proxies; most are people.
		person := random.IntN(150_000)
		fmt.Fprintf(w, "%d.%d.%d.%d - - [%s] \"GET %s HTTP/1.1\" %d %d \"%s\" \"%s\"\n",
			11+person>>16, person>>8&255, person&255, 1+person%250,
			at.Format("02/Jan/2006:15:04:05 +0000"), target(random, bot), status(random), 200+random.IntN(60000), referrer, userAgent)
		if i%100_000 == 0 {
			progress(i)
		}
	}
	return w.Flush()
}

func someone(random *rand.Rand) (userAgent string, bot bool) {
	n := random.IntN(1000)
	for _, a := range agents {
		if n -= a.share; n < 0 {
			return a.text, a.bot
		}
	}
	return fmt.Sprintf(browsers[random.IntN(len(browsers))], 100+random.IntN(30), random.IntN(20)), false
}

func target(random *rand.Rand, bot bool) string {
	page := int(math.Pow(20_000, random.Float64())) // as likely below 141 as above
	switch n := random.IntN(100); {
	case !bot && n < 25:
		return fmt.Sprintf("/assets/img/%d/picture-%d.webp", page%40, page)
	case n < 30:
		return fmt.Sprintf("/search?q=rocket+%d&page=%d", page, n)
	case !bot && n < 33:
		return fmt.Sprintf("/blog/%d/how-to-build-a-rocket-%d/?utm_source=chatgpt.com", page%12, page)
	case n < 70:
		return fmt.Sprintf("/blog/%d/how-to-build-a-rocket-%d/", page%12, page)
	case n < 75:
		return "/"
	}
	return fmt.Sprintf("/products/rockets/model-%d", page)
}

func status(random *rand.Rand) int {
	switch n := random.IntN(100); {
	case n < 88:
		return 200
	case n < 90:
		return 304
	case n < 95:
		return 301
	}
	return 404
}
