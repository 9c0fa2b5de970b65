package demo

// client is software that asks for pages, and how often next to others.
type client struct {
	weight    float64
	userAgent string
	habit     habit
}

type habit uint8

const (
	crawls  habit = iota // reads everything in turn
	fetches              // reads what a person just asked about
	watches              // asks for the front page, with HEAD
)

// likeGecko is how many agents of AI companies begin.
const likeGecko = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko"

var bots = weigh(
	client{13, likeGecko + "; compatible; GPTBot/1.3; +https://openai.com/gptbot)", crawls},
	client{3, likeGecko + "); compatible; GPTBot/1.1; +https://openai.com/gptbot", crawls},
	client{14, likeGecko + "); compatible; ChatGPT-User/1.0; +https://openai.com/bot", fetches},
	client{8, likeGecko + "); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot", crawls},
	client{9, likeGecko + "; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", crawls},
	client{4, likeGecko + "; compatible; Claude-User/1.0; +Claude-User@anthropic.com)", fetches},
	client{5, likeGecko + "; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)", crawls},
	client{3, likeGecko + "; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)", fetches},
	client{8, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", crawls},
	client{6, "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.122 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", crawls},
	client{7, likeGecko + "; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36", crawls},
	client{5, "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", crawls},
	client{3, "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)", crawls},
	client{4, likeGecko + "; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36", crawls},
	client{4, "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)", crawls},
	client{2, "CCBot/2.0 (https://commoncrawl.org/faq/)", crawls},
	client{5, "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", crawls},
	client{4, "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)", crawls},
	client{2, "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", crawls},
	client{4, "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", watches},
	client{2, "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)", watches},
	client{1, "python-requests/2.32.3", crawls},
)

var browsers = weigh(
	client{22, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36", 0},
	client{8, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", 0},
	client{11, "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36", 0},
	client{9, "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15", 0},
	client{16, "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1", 0},
	client{3, "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1", 0},
	client{14, "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36", 0},
	client{3, "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36", 0},
	client{6, "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0", 0},
	client{3, "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", 0},
	client{5, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0", 0},
	client{2, "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36", 0},
)

// origin is where a human comes from: a referrer, a utm_source, or both.
type origin struct {
	weight    float64
	referrer  string
	utmSource string
}

var aiOrigins = weigh(
	origin{30, "https://chatgpt.com/", "chatgpt.com"},
	origin{18, "", "chatgpt.com"},
	origin{12, "https://chatgpt.com/", ""},
	origin{16, "https://www.perplexity.ai/", ""},
	origin{10, "https://gemini.google.com/", ""},
	origin{7, "https://claude.ai/", ""},
	origin{7, "https://copilot.microsoft.com/", ""},
)

var otherOrigins = weigh(
	origin{58, "https://www.google.com/", ""},
	origin{8, "https://www.bing.com/", ""},
	origin{6, "https://duckduckgo.com/", ""},
	origin{7, "https://www.reddit.com/", ""},
	origin{6, "https://www.linkedin.com/", ""},
	origin{4, "https://t.co/", ""},
	origin{3, "https://news.ycombinator.com/", ""},
	origin{3, "https://l.facebook.com/", ""},
	origin{5, "", "newsletter"},
)

// weighted is a list to pick from by weight.
type weighted[T any] struct {
	items []T
	until []float64 // share of this item and all before it
}

func weigh[T interface{ share() float64 }](items ...T) *weighted[T] {
	w := &weighted[T]{items: items}
	total := 0.0
	for _, item := range items {
		total += item.share()
		w.until = append(w.until, total)
	}
	for i := range w.until {
		w.until[i] /= total
	}
	return w
}

// pick takes a chance from [0, 1).
func (w *weighted[T]) pick(chance float64) *T {
	for i, until := range w.until {
		if chance < until {
			return &w.items[i]
		}
	}
	return &w.items[len(w.items)-1]
}

func (c client) share() float64 { return c.weight }
func (o origin) share() float64 { return o.weight }
