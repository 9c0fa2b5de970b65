package packed

import (
	"sync"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Citations counts citations. Parts may be counted at the same time.
type Citations struct {
	chosen
	withPages bool

	mu      sync.Mutex // of what follows
	domains map[string]*facts.CitedDomain
	pages   map[string]*facts.CitedPage // by URL
}

// NewCitations counts for a query, the pages only if asked to.
func NewCitations(q facts.AnswerQuery, pages bool) *Citations {
	return &Citations{
		chosen: choose(q), withPages: pages,
		domains: make(map[string]*facts.CitedDomain), pages: make(map[string]*facts.CitedPage),
	}
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

// partCount is what is counted in one part, by its own numbers.
type partCount struct {
	*sources
	products  int
	words     int     // of the bits of a page
	pages     []int64 // citations of each page
	mentioned facts.Bits
	mentions  []int64 // of each domain and product
}

// Answers counts the citations in the answers of a part that lie between two seconds.
func (c *Citations) Answers(week int64, part Part, first, last int64) error {
	h, err := c.readHead(part.Mentions)
	if err != nil {
		return err
	}
	s, err := readSources(part.Pages, c.withPages)
	if err != nil {
		return err
	}
	words := len(facts.NewBits(len(c.Products)))
	n := partCount{
		sources: s, products: len(c.Products), words: words, pages: make([]int64, len(s.domainOf)),
		mentions: make([]int64, len(s.domains)*len(c.Products)),
	}
	if c.withPages {
		n.mentioned = make(facts.Bits, words*len(s.domainOf))
	}
	body, citations := h.body, part.Citations
	for _, s := range h.sections {
		if s.citationBytes > len(citations) {
			return errDamaged
		}
		if c.wantsPrompt(int64(s.prompt)) {
			if err := n.section(&h, s, body[:s.bytes], citations[:s.citationBytes], week, first, last); err != nil {
				return err
			}
		}
		body, citations = body[s.bytes:], citations[s.citationBytes:]
	}
	c.add(&n)
	return nil
}

// section counts the citations in the answers to a prompt.
func (n *partCount) section(h *head, s sectionHead, text, citations []byte, week, first, last int64) error {
	r, cited := cursor{text: text}, cursor{text: citations}
	mentioned := make([]int, 0, 64) // places of the products that the answer mentions
	bits := make(facts.Bits, n.words)
	for range s.answers {
		platform, second, m := r.number(), week+int64(r.number()), r.number()
		given, m := m&1 == 1, m>>1
		if r.bad || platform >= uint64(len(h.platforms)) {
			return errDamaged
		}
		pages := cited.number()
		if second < first || second > last || !h.wanted[platform] || pages == 0 {
			r.skip(m, given)
			cited.skip(pages, false)
			continue
		}
		mentioned = mentioned[:0]
		clear(bits)
		for range m {
			product := r.number()
			if given {
				r.number()
			}
			if r.bad || product >= uint64(len(h.places)) {
				return errDamaged
			}
			if place := h.places[product]; place != nowhere {
				mentioned = append(mentioned, place)
				bits.Add(place)
			}
		}
		for range pages {
			page := cited.number()
			if cited.bad || page >= uint64(len(n.pages)) {
				return errDamaged
			}
			n.cite(int(page), mentioned, bits)
		}
	}
	if r.bad || cited.bad {
		return errDamaged
	}
	return nil
}

// cite counts one citation.
func (n *partCount) cite(page int, mentioned []int, bits facts.Bits) {
	n.pages[page]++
	if n.mentioned != nil {
		of := n.mentioned[page*n.words : (page+1)*n.words]
		of.Union(bits)
	}
	row := n.mentions[int(n.domainOf[page])*n.products:]
	for _, place := range mentioned {
		row[place]++
	}
}

// add adds what was counted in a part to what was before, by names.
func (c *Citations) add(n *partCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	page := 0
	for d, name := range n.domains {
		from := page
		var count int64
		for ; page < len(n.pages) && int(n.domainOf[page]) == d; page++ {
			count += n.pages[page]
		}
		if count == 0 {
			continue
		}
		domain := c.domains[name]
		if domain == nil {
			domain = &facts.CitedDomain{Domain: name, Mentions: make([]int64, n.products)}
			c.domains[name] = domain
		}
		domain.Count += count
		for i, m := range n.mentions[d*n.products : (d+1)*n.products] {
			domain.Mentions[i] += m
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
			p.Count += n.pages[page]
			p.Mentioned.Union(bits)
			continue
		}
		p := &facts.CitedPage{Domain: domain, URL: string(url), Count: n.pages[page], Mentioned: bits}
		c.pages[p.URL] = p
	}
}
