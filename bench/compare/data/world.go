// Package data makes up the world that the engines are asked about: websites
// and who visits them, products, prompts, and the answers of AI platforms. Equal
// sizes and seeds give equal worlds. Nothing is kept: any day of any website can
// be made again, in whatever order and form an engine takes it.
package data

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Size says how large a world is.
type Size struct {
	Visits     int    // of 50 websites, about
	Mentions   int    // of the large product in a year, about
	VisitDays  int    // there are visits on the last days, …
	AnswerDays int    // … and answers on these
	Others     int    // how often there is everything but the large product
	Seed       uint64 // of all that is random
}

// Full is the size that the results are about.
var Full = Size{Visits: 60_000_000, Mentions: 21_000_000, VisitDays: 180, AnswerDays: 365, Others: 1, Seed: 1}

// End is the first second after all worlds, so that windows can be written down.
var End = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

// Large is the product with most prompts and the largest website.
const Large = 101

const (
	websites      = 50
	perProduct    = 5     // websites
	largestShare  = 0.272 // of all visits
	rivals        = 40
	firstRival    = 201
	largePrompts  = 2000 // at the full size
	mentionsEach  = 4.8
	daySeconds    = 24 * 60 * 60
	firstOther    = 1001 // products beyond the 50 websites
	weekendFactor = 0.75
)

// Website is a tracked website.
type Website struct {
	ID, Domain string
	number     int
	daily      float64 // visits
	people     int     // who visit it
}

// Product is reported on, or a competitor, which has neither team nor prompts.
type Product struct {
	ID       int64
	Name     string
	Domain   string
	Team     string
	Websites []*Website
	Prompts  []*Prompt
}

// Prompt is a tracked prompt.
type Prompt struct {
	ID        int64
	Text      string
	Domain    string
	Platforms []string
	Labels    []int64
	Paused    bool // tracked, and never run
	number    int
	favour    float64 // how likely the product is mentioned
}

// Label is a label of prompts.
type Label struct {
	ID   int64
	Name string
}

// Labels are those of the large product: a third, a tenth and a hundredth of its prompts.
var Labels = []Label{{1, "awareness"}, {2, "brand"}, {3, "launch"}}

// AnswerPlatforms are where prompts are run, in the order of their bytes.
var AnswerPlatforms = []string{"claude", "gemini", "google", "google_ai_overviews", "openai", "perplexity"}

// World is everything but the events, which are made when they are asked for.
type World struct {
	Size
	Websites []*Website
	Products []*Product // with a team
	Rivals   []*Product
	Sources  []*Source // what answers cite

	humans, bots []*Agent
	pages        *pages
}

// New makes a world.
func New(size Size) *World {
	w := &World{Size: size, pages: newPages()}
	w.humans, w.bots = browsers(), crawlers()
	w.addWebsites()
	for i := range rivals {
		w.Rivals = append(w.Rivals, &Product{ID: int64(firstRival + i), Name: fmt.Sprintf("Rival %02d", i+1), Domain: fmt.Sprintf("rival-%02d.example", i+1)})
	}
	prompts := max(20, int(math.Round(largePrompts*float64(size.Mentions)/float64(Full.Mentions))))
	for i := 0; i < len(w.Websites); i += perProduct {
		w.addProduct(w.Websites[i:min(i+perProduct, len(w.Websites))], prompts)
	}
	w.Sources = sources(w)
	return w
}

// addWebsites gives the largest its share and lets the others fall off.
func (w *World) addWebsites() {
	var sum float64
	weight := func(n int) float64 { return math.Pow(float64(n), -0.7) }
	for n := 1; n < websites; n++ {
		sum += weight(n)
	}
	add := func(share float64) {
		n := len(w.Websites) + 1
		daily := float64(w.Visits) / float64(w.VisitDays) * share
		w.Websites = append(w.Websites, &Website{
			ID: fmt.Sprintf("w-%03d", n), Domain: fmt.Sprintf("site-%03d.example", n), number: n,
			daily: daily, people: max(20, int(4*daily)),
		})
	}
	add(largestShare)
	for n := 1; n < websites; n++ {
		add((1 - largestShare) * weight(n) / sum)
	}
	for range w.Others - 1 {
		for n := perProduct; n < websites; n++ {
			add((1 - largestShare) * weight(n) / sum)
		}
	}
}

func (w *World) addProduct(of []*Website, prompts int) {
	id := int64(Large + len(w.Products))
	if len(w.Products)*perProduct >= websites {
		id = int64(firstOther + len(w.Products))
	}
	p := &Product{ID: id, Name: fmt.Sprintf("Product %d", id), Domain: fmt.Sprintf("product-%d.example", id), Team: fmt.Sprintf("team-%d", id), Websites: of}
	w.Products = append(w.Products, p)
	if id == Large {
		w.addPrompts(p, prompts, p.Domain, AnswerPlatforms)
		w.addPrompts(p, max(2, prompts/40), of[1].Domain, AnswerPlatforms)
		return
	}
	w.addPrompts(p, max(2, prompts/40), p.Domain, AnswerPlatforms[3:])
}

var subjects = []string{"rocket for schools", "way to compare rockets", "launch service in Europe", "rocket under 500", "kit for beginners", "engine for two stages", "telemetry for rockets"}

func (w *World) addPrompts(p *Product, n int, domain string, platforms []string) {
	for range n {
		i := len(p.Prompts)
		prompt := &Prompt{
			ID: p.ID*100_000 + int64(i), Text: fmt.Sprintf("best %s, question %d", subjects[i%len(subjects)], i), Domain: domain,
			Platforms: platforms, number: i, Paused: i%500 == 19, favour: 0.6 * float64(mix(uint64(p.ID)<<20|uint64(i))%1000) / 1000,
		}
		if p.ID == Large {
			for label, every := range []int{3, 10, 100} {
				if i%every == 0 {
					prompt.Labels = append(prompt.Labels, Labels[label].ID)
				}
			}
		}
		p.Prompts = append(p.Prompts, prompt)
	}
}

// Product finds a product, a competitor included.
func (w *World) Product(id int64) *Product {
	for _, p := range slices.Concat(w.Products, w.Rivals) {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Platforms lists all that a visit or an answer can have, in the order of their bytes.
func (w *World) Platforms() []string {
	all := slices.Concat(AnswerPlatforms, []string{"none", "other"})
	for _, a := range w.bots {
		all = append(all, a.platform)
	}
	for _, r := range referrers {
		all = append(all, r.platform)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TrackedDomains lists those of prompts, in the order of their bytes.
func (w *World) TrackedDomains() (all []string) {
	for _, p := range w.Products {
		for _, prompt := range p.Prompts {
			all = append(all, prompt.Domain)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// BotTypes lists all that a visit can have, in the order of their bytes.
func (w *World) BotTypes() []string {
	all := []string{"none", "other"}
	for _, a := range w.bots {
		all = append(all, a.botType)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mix spreads a number over 64 bits; different ones stay different.
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
