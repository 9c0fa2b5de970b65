package data

import (
	"fmt"
	"math/rand/v2"
)

// Answer is the answer of a platform to a prompt.
type Answer struct {
	Owner     *Product
	Prompt    *Prompt
	Platform  string
	Second    int64
	ID        string
	Key       int64   // a number in its place
	Mentions  []int64 // products, the first first
	Citations []*Source
}

// Source is a page that answers cite.
type Source struct{ URL, Domain string }

const (
	sourceCount   = 20_000
	sourceDomains = 1500
)

// sources are pages on domains of which some belong to products.
func sources(w *World) (all []*Source) {
	large := w.Products[0]
	for i := range sourceCount {
		n := i % sourceDomains
		domain := fmt.Sprintf("source-%04d.example", n)
		switch {
		case n == 5:
			domain = large.Domain
		case n == 6:
			domain = "shop." + large.Websites[1].Domain
		case n%37 == 0:
			domain = "blog." + w.Rivals[n/37%rivals].Domain
		}
		host := domain
		if n%2 == 1 {
			host = "www." + domain
		}
		all = append(all, &Source{fmt.Sprintf("https://%s/articles/%d", host, i), domain})
	}
	return all
}

// Owner is a product that owns a domain that is cited.
type Owner struct {
	Domain  string
	Product int64
}

// Owners lists who, of the large product and its rivals, owns cited domains.
func (w *World) Owners() (all []Owner) {
	large := w.Products[0]
	all = append(all, Owner{large.Domain, large.ID}, Owner{"shop." + large.Websites[1].Domain, large.ID})
	for _, r := range w.Rivals {
		all = append(all, Owner{"blog." + r.Domain, r.ID})
	}
	return all
}

// AnswersOn makes the answers to a product's prompts on a day, in the order of time.
func (w *World) AnswersOn(p *Product, day int, each func(*Answer)) {
	start := w.FirstAnswerDay().AddDate(0, 0, day).Unix()
	random := rand.New(rand.NewPCG(w.Seed, uint64(p.ID)<<32|uint64(start/daySeconds)))
	runs := int64(0)
	for _, prompt := range p.Prompts {
		runs += int64(len(prompt.Platforms))
	}
	a := Answer{Owner: p}
	n := int64(0)
	for _, prompt := range p.Prompts {
		for i, platform := range prompt.Platforms {
			n++
			if prompt.Paused {
				continue
			}
			a.Prompt, a.Platform, a.Second = prompt, platform, start+n*(daySeconds-1)/runs
			a.ID = fmt.Sprintf("a-%d-%d-%d", prompt.ID, i, day)
			a.Key = (p.ID<<16|int64(day))<<20 | n
			w.fill(&a, random)
			each(&a)
		}
	}
}

// fill decides what an answer mentions and cites: 4.8 products and 3.3 pages on average.
func (w *World) fill(a *Answer, random *rand.Rand) {
	a.Mentions = a.Mentions[:0]
	var seen uint64
	for range random.IntN(10) {
		for {
			i := skewed(random, rivals)
			if seen&(1<<i) == 0 {
				seen |= 1 << i
				a.Mentions = append(a.Mentions, w.Rivals[i].ID)
				break
			}
		}
	}
	if random.Float64() < a.Prompt.favour {
		a.Mentions = append(a.Mentions, a.Owner.ID)
		i, last := random.IntN(len(a.Mentions)), len(a.Mentions)-1
		a.Mentions[i], a.Mentions[last] = a.Mentions[last], a.Mentions[i]
	}
	a.Citations = a.Citations[:0]
next:
	for range random.IntN(8) {
		s := w.Sources[skewed(random, sourceCount)]
		for _, other := range a.Citations {
			if other == s {
				continue next
			}
		}
		a.Citations = append(a.Citations, s)
	}
}
