package world

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// The events lie in four whole weeks. Behind them there is a year of nothing,
// in which a window may end anywhere without a change of its answer.
var (
	First = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	Last  = First.AddDate(0, 0, 28).Add(-time.Second)
)

// CitedByEach is how many URLs each answer cites.
const CitedByEach = 2

var (
	platforms = []string{"openai", "perplexity", "gemini", "claude"}
	agents    = []string{
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
		"Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
		"Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
	}
	referrers = []string{"", "https://chatgpt.com/", "https://www.perplexity.ai/", "https://news.example/"}
)

// Pageviews writes visits, all of which count. Visits of the same name replace
// each other; a batch decides what they are.
func (w *World) Pageviews(out io.Writer, name string, batch uint64, visits int) error {
	b := bufio.NewWriter(out)
	random := rand.New(rand.NewPCG(batch, 2))
	for i := range visits {
		p := w.anyProduct(random)
		site := random.IntN(len(p.Websites))
		fmt.Fprintf(b, `{"id":"%s-%d","at":"%s","websiteId":"%s","url":"https://%s%s","userAgent":"%s","referrer":"%s","ip":"203.0.113.%d"}`+"\n",
			name, i, moment(random), p.Websites[site], p.Domains[site], pick(random, p.Paths), pick(random, agents), pick(random, referrers), random.IntN(200))
	}
	return b.Flush()
}

// Replacing writes visits that replace those of the same name, and a line that
// is skipped, which makes the file another one each time: what has been loaded before
// would not be loaded again.
func (w *World) Replacing(out io.Writer, name string, batch uint64, time, visits int) error {
	if err := w.Pageviews(out, name, batch, visits); err != nil {
		return err
	}
	p := w.Teams[0].Products[0]
	_, err := fmt.Fprintf(out, `{"id":"skipped","at":"%s","websiteId":"%s","url":"https://%s/%d.css","userAgent":"%s"}`+"\n",
		First.Format("2006-01-02T15:04:05Z"), p.Websites[0], p.Domains[0], time, agents[3])
	return err
}

// Answers writes AI answers. Answers of the same name replace each other. One in
// five is a text that mentions a product of one team under a common name, and
// all cite a domain that only this team owns: others may not learn whose it is.
func (w *World) Answers(out io.Writer, name string, batch uint64, answers int) error {
	b := bufio.NewWriter(out)
	random := rand.New(rand.NewPCG(batch, 3))
	for i := range answers {
		p := w.anyProduct(random)
		n := random.IntN(len(p.Prompts))
		fmt.Fprintf(b, `{"id":"%s-%d","promptId":%d,"platform":"%s","at":"%s",`, name, i, p.Prompts[n], pick(random, platforms), moment(random))
		if i%5 == 0 {
			fmt.Fprintf(b, `"text":"Rival %s %d is fine, %s is better, %s too.",`, p.team.word, p.Rivals[0], p.Domains[0], common)
		} else {
			b.WriteString(mentions(random, p))
		}
		fmt.Fprintf(b, `"citations":["https://%s/%d","https://sources-%s.example/%d"]}`+"\n", Shared, random.IntN(6), p.team.word, random.IntN(9))
	}
	return b.Flush()
}

// mentions are those of the product and its rivals, in some order.
func mentions(random *rand.Rand, p *Product) (text string) {
	ids := []int64{p.ID, p.Rivals[0], p.Rivals[1]}
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for i, id := range ids[:random.IntN(len(ids)+1)] {
		text += fmt.Sprintf(`,{"productId":%d,"position":%d}`, id, i+1)
	}
	return `"mentions":[` + text[min(1, len(text)):] + `],`
}

func (w *World) anyProduct(random *rand.Rand) *Product {
	return pick(random, pick(random, w.Teams).Products)
}

// moment is a second of the four weeks.
func moment(random *rand.Rand) string {
	seconds := int64(Last.Sub(First) / time.Second)
	return First.Add(time.Duration(random.Int64N(seconds)) * time.Second).Format(time.RFC3339)
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }
