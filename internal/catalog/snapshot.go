package catalog

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// Snapshot is the catalog at one version: immutable, safe for concurrent use.
// Nothing retired is in it.
type Snapshot struct {
	version  int64
	edition  int64
	products []*Product // by id
	websites map[string]*Website
	prompts  map[int64]*Prompt
	keys     map[[sha256.Size]byte]access
	damaged  []string // ids of keys that are left out
	counts   Counts
}

// Damaged says which keys are left out because what the database says of them is
// not what was written, and what to do.
func (s *Snapshot) Damaged() []error { return each(s.damaged, damagedKey) }

// Counts says how much is in a snapshot; Keys are those that work.
type Counts struct{ Teams, Products, Websites, Prompts, Labels, Keys int }

// made counts the snapshots of this process.
var made atomic.Int64

// Edition is another number for every snapshot within this process: two of one
// version may differ, if a catalog was put in the place of another.
func (s *Snapshot) Edition() int64 { return s.edition }

// Version returns the version of the catalog; each change adds one.
func (s *Snapshot) Version() int64 { return s.version }

// access is what a key may see, and until when.
type access struct {
	scope   Scope
	expires int64 // Unix seconds; never: 0
}

func (a access) at(now time.Time) bool { return a.expires == 0 || now.Unix() < a.expires }

// Authenticate returns what a key may see. It is false for a key that is
// malformed, unknown, revoked, expired or of a retired team.
func (s *Snapshot) Authenticate(key string) (Scope, bool) { return s.authenticate(key, time.Now()) }

// authenticate looks at the clock each time: a key ends at its second, though
// nobody touches the catalog. Keys are looked up by their hash, so how long it
// takes says nothing about a key.
func (s *Snapshot) authenticate(key string, now time.Time) (Scope, bool) {
	if !wellFormed(key) {
		return Scope{}, false
	}
	a, ok := s.keys[sha256.Sum256([]byte(key))]
	if !ok || !a.at(now) {
		return Scope{}, false
	}
	return a.scope, true
}

// Refusal says why a key is refused, for the log: callers are told nothing.
func (s *Snapshot) Refusal(key string) string {
	if a, ok := s.keys[sha256.Sum256([]byte(key))]; ok && !a.at(time.Now()) {
		return "key " + a.scope.key + " has expired"
	}
	return "unknown or revoked key"
}

// Prompt returns a prompt of any team, for the loader.
func (s *Snapshot) Prompt(id int64) (*Prompt, bool) {
	p, ok := s.prompts[id]
	return p, ok
}

// Website returns a website of any team, tracked or not, for the loader.
func (s *Snapshot) Website(id string) (*Website, bool) {
	w, ok := s.websites[id]
	return w, ok
}

// Products returns the products of all teams and of none, by id.
func (s *Snapshot) Products() []*Product { return s.products }

// Counts says how much is in the snapshot, and how many keys work now.
func (s *Snapshot) Counts() Counts {
	now, counts := time.Now(), s.counts
	for _, a := range s.keys {
		if a.at(now) {
			counts.Keys++
		}
	}
	return counts
}

// newSnapshot links the active records of the database to each other.
func newSnapshot(st *state) *Snapshot {
	s := &Snapshot{
		version:  st.version,
		edition:  made.Add(1),
		websites: make(map[string]*Website),
		prompts:  make(map[int64]*Prompt),
		keys:     make(map[[sha256.Size]byte]access),
		damaged:  sorted(st.damaged),
	}
	byID := s.addProducts(st)
	s.addWebsites(st, byID)
	s.addPrompts(st, byID, s.addLabels(st, byID))
	s.addKeys(st)
	s.counts.Teams = len(st.teams.active)
	s.counts.Products, s.counts.Websites = len(s.products), len(s.websites)
	s.counts.Prompts = len(s.prompts)
	return s
}

func (s *Snapshot) addProducts(st *state) map[int64]*Product {
	byID := make(map[int64]*Product)
	for _, id := range slices.Sorted(maps.Keys(st.products.active)) {
		r := st.products.active[id]
		byID[id] = &Product{ID: id, TeamID: r.team, Name: r.name, Names: r.names, Website: r.website, Domain: r.domain}
		s.products = append(s.products, byID[id])
	}
	for _, p := range s.products {
		for _, id := range st.products.active[p.ID].competitors {
			if c, ok := byID[id]; ok {
				p.Competitors = append(p.Competitors, c)
			}
		}
	}
	return byID
}

func (s *Snapshot) addWebsites(st *state, products map[int64]*Product) {
	for _, id := range slices.Sorted(maps.Keys(st.websites.active)) {
		r := st.websites.active[id]
		if p, ok := products[r.product]; ok {
			w := &Website{ID: id, Domain: r.domain, Partner: r.partner, Tracked: r.tracked, Product: p}
			p.Websites = append(p.Websites, w)
			s.websites[id] = w
		}
	}
}

func (s *Snapshot) addLabels(st *state, products map[int64]*Product) map[labelKey]*Label {
	labels := make(map[labelKey]*Label)
	for key, r := range st.labels.active {
		if p, ok := products[key.product]; ok {
			labels[key] = &Label{ID: key.id, Name: r.name}
			p.Labels = append(p.Labels, labels[key])
		}
	}
	for _, p := range s.products {
		slices.SortFunc(p.Labels, func(a, b *Label) int { return cmp.Compare(a.ID, b.ID) })
	}
	s.counts.Labels = len(labels)
	return labels
}

func (s *Snapshot) addPrompts(st *state, products map[int64]*Product, labels map[labelKey]*Label) {
	for id, r := range st.prompts.active {
		product, ok := products[r.product]
		if !ok {
			continue
		}
		p := &Prompt{ID: id, Text: r.text, Domain: r.domain, Platforms: r.platforms, Product: product}
		for _, label := range r.labels {
			if l, ok := labels[labelKey{r.product, label}]; ok {
				p.Labels = append(p.Labels, l)
			}
		}
		product.Prompts = append(product.Prompts, p)
		s.prompts[id] = p
	}
	for _, p := range s.products {
		slices.SortFunc(p.Prompts, func(a, b *Prompt) int {
			return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.ID, b.ID))
		})
	}
}

// addKeys gives every key that works the reach of its team.
func (s *Snapshot) addKeys(st *state) {
	reaches := make(map[string]*reach)
	for _, k := range st.keys {
		team, ok := st.teams.active[k.team]
		if !ok || k.revoked {
			continue
		}
		if reaches[k.team] == nil {
			reaches[k.team] = newReach(team, s.products)
		}
		s.keys[k.hash] = access{Scope{reaches[k.team], k.id}, k.expires}
	}
}
