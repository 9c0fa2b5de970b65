package packed

import (
	"sync"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Citations counts citations. Parts may be counted at the same time.
type Citations struct {
	chosen
	withPages bool
	idle      sync.Pool // of *partCount

	mu      sync.Mutex // of what follows
	domains map[string]*facts.CitedDomain
	pages   map[string]*facts.CitedPage // by URL
}

// NewCitations counts for a query, the pages only if asked to.
func NewCitations(q facts.AnswerQuery, pages bool) *Citations {
	c := &Citations{
		chosen: choose(q), withPages: pages,
		domains: make(map[string]*facts.CitedDomain), pages: make(map[string]*facts.CitedPage),
	}
	c.idle.New = func() any { return newPartCount(len(q.Products)) }
	return c
}

// All returns what was counted.
func (c *Citations) All() facts.Cited {
	all := facts.Cited{Domains: make([]facts.CitedDomain, 0, len(c.domains)), Pages: make([]facts.CitedPage, 0, len(c.pages))}
	for _, d := range c.domains {
		all.Domains = append(all.Domains, *d)
	}
	for _, p := range c.pages {
		all.Pages = append(all.Pages, *p)
	}
	return all
}

// Answers counts the citations in the answers of a part that lie between two
// seconds. Kinds that the query is not about may be left out. Digests count as
// they are: without pages, and whatever their seconds, prompts and platforms.
func (c *Citations) Answers(week int64, part Part, first, last int64) error {
	n := c.idle.Get().(*partCount)
	if err := n.sources.read(part.Sources, c.withPages); err != nil {
		return err
	}
	n.reset(c.withPages)
	for _, texts := range part.Kinds {
		if err := c.count(n, week, texts, first, last); err != nil {
			return err
		}
	}
	c.add(n)
	c.idle.Put(n)
	return nil
}

// count counts the answers to prompts of a kind.
func (c *Citations) count(n *partCount, week int64, texts Texts, first, last int64) error {
	if texts.Digest != nil {
		return n.addDigest(&c.chosen, texts.Digest)
	}
	return c.eachSection(texts, c.wantsPrompt, func(h *head, s sectionHead, text, citations []byte) error {
		return n.section(h, s, text, citations, week, first, last)
	})
}

// eachSection calls each with the mentions and the citations of prompts.
func (c *chosen) eachSection(of Texts, wants func(prompt int64) bool, each func(h *head, s sectionHead, text, citations []byte) error) error {
	h, err := c.readHead(of.Mentions)
	if err != nil {
		return err
	}
	body, citations := h.body, of.Citations
	for _, s := range h.sections {
		if s.citationBytes > len(citations) {
			return errDamaged
		}
		if wants(int64(s.prompt)) {
			if err := each(&h, s, body[:s.bytes], citations[:s.citationBytes]); err != nil {
				return err
			}
		}
		body, citations = body[s.bytes:], citations[s.citationBytes:]
	}
	return nil
}

// add adds what was counted in a part to what was before, by names.
func (c *Citations) add(n *partCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	page := 0
	for d, name := range n.domains {
		from := page
		for page < len(n.domainOf) && int(n.domainOf[page]) == d {
			page++
		}
		if n.cited[d] == 0 {
			continue
		}
		domain := c.domains[string(name)]
		if domain == nil {
			domain = &facts.CitedDomain{Domain: string(name), Mentions: make([]int64, n.products)}
			c.domains[domain.Domain] = domain
		}
		domain.Count += int64(n.cited[d])
		for i, m := range n.mentions[d*n.products : (d+1)*n.products] {
			domain.Mentions[i] += int64(m)
		}
		if c.withPages {
			c.addPages(n, domain.Domain, from, page)
		}
	}
}

func (c *Citations) addPages(n *partCount, domain string, from, to int) {
	for page := from; page < to; page++ {
		if n.pages[page] == 0 {
			continue
		}
		url := n.urls[n.ends[page]:n.ends[page+1]]
		bits := n.mentioned[page*n.words : (page+1)*n.words : (page+1)*n.words]
		if p := c.pages[string(url)]; p != nil {
			p.Count += int64(n.pages[page])
			p.Mentioned.Union(bits)
			continue
		}
		p := &facts.CitedPage{Domain: domain, URL: string(url), Count: int64(n.pages[page]), Mentioned: bits}
		c.pages[p.URL] = p
	}
}
