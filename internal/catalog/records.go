package catalog

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// The records are the rows of the database, flat, with the rows of their side
// tables as sorted lists. A workspace is compared with the database as records.

type teamRecord struct {
	id, name string
	manages  []string
}

type productRecord struct {
	id                          int64
	team, name, website, domain string
	names                       []string // in the order of the file
	competitors                 []int64
}

type websiteRecord struct {
	id               string
	product          int64
	domain           string
	partner, tracked bool
}

type labelKey struct{ product, id int64 }

type labelRecord struct {
	labelKey
	name string
}

type promptRecord struct {
	id, product  int64
	text, domain string
	platforms    []string
	labels       []int64
}

type keyRecord struct {
	id      string
	hash    [sha256.Size]byte
	team    string
	revoked bool
	expires int64 // Unix seconds; never: 0
}

func (t teamRecord) key() string    { return t.id }
func (p productRecord) key() int64  { return p.id }
func (w websiteRecord) key() string { return w.id }
func (l labelRecord) key() labelKey { return l.labelKey }
func (p promptRecord) key() int64   { return p.id }

func (t teamRecord) same(u teamRecord) bool {
	return t.name == u.name && slices.Equal(t.manages, u.manages)
}

func (p productRecord) same(q productRecord) bool {
	return p.team == q.team && p.name == q.name && p.website == q.website && p.domain == q.domain &&
		slices.Equal(p.names, q.names) && slices.Equal(p.competitors, q.competitors)
}

func (w websiteRecord) same(v websiteRecord) bool { return w == v }

func (l labelRecord) same(m labelRecord) bool { return l == m }

func (p promptRecord) same(q promptRecord) bool {
	return p.product == q.product && p.text == q.text && p.domain == q.domain &&
		slices.Equal(p.platforms, q.platforms) && slices.Equal(p.labels, q.labels)
}

// The lines say all that is in a record, for the sum of the catalog. They must
// never change, for catalogs have sums of them; %+q does not change with Unicode.

func (t teamRecord) line() string { return fmt.Sprintf("team %+q %+q %+q", t.id, t.name, t.manages) }

func (p productRecord) line() string {
	return fmt.Sprintf("product %d %+q %+q %+q %+q %+q %d", p.id, p.team, p.name, p.website, p.domain, p.names, p.competitors)
}

func (w websiteRecord) line() string {
	return fmt.Sprintf("website %+q %d %+q %t %t", w.id, w.product, w.domain, w.partner, w.tracked)
}

func (l labelRecord) line() string { return fmt.Sprintf("label %d %d %+q", l.product, l.id, l.name) }

func (p promptRecord) line() string {
	return fmt.Sprintf("prompt %d %d %+q %+q %+q %d", p.id, p.product, p.text, p.domain, p.platforms, p.labels)
}

// record is what two versions of the catalog can be compared by.
type record[K comparable, R any] interface {
	key() K
	same(R) bool
	line() string
}

// table is what the database has of one kind.
type table[K comparable, R record[K, R]] struct{ active, retired map[K]R }

func (t *table[K, R]) add(r R, retired bool) {
	if t.active == nil {
		t.active, t.retired = make(map[K]R), make(map[K]R)
	}
	if retired {
		t.retired[r.key()] = r
	} else {
		t.active[r.key()] = r
	}
}

// find returns a record, retired or not.
func (t *table[K, R]) find(k K) (R, bool) {
	if r, ok := t.active[k]; ok {
		return r, true
	}
	r, ok := t.retired[k]
	return r, ok
}

// state is the whole content of the database at one version.
type state struct {
	version  int64
	sealed   string // the sum of all but the keys, as it was written
	teams    table[string, teamRecord]
	products table[int64, productRecord]
	websites table[string, websiteRecord]
	labels   table[labelKey, labelRecord]
	prompts  table[int64, promptRecord]
	keys     []keyRecord
	damaged  []string // ids of keys that are not what was written
}

// records are the active records that a workspace asks for.
func (w *Workspace) records() (want wanted) {
	for _, t := range w.teams {
		want.teams = append(want.teams, teamRecord{t.id, t.name, values(t.manages)})
	}
	for _, p := range w.products {
		want.products = append(want.products, productRecord{
			id: p.id, team: p.team.value, name: p.name, website: p.website, domain: p.domain,
			names: p.names, competitors: values(p.competitors),
		})
		for _, s := range p.websites {
			want.websites = append(want.websites, websiteRecord{s.id, p.id, s.domain, s.partner, s.tracked})
		}
		for _, l := range p.labels {
			want.labels = append(want.labels, labelRecord{labelKey{p.id, l.id}, l.name})
		}
		for _, q := range p.prompts {
			want.prompts = append(want.prompts, promptRecord{
				q.id, p.id, q.text, q.domain, q.platforms, values(q.labels),
			})
		}
	}
	return want
}

type wanted struct {
	teams    []teamRecord
	products []productRecord
	websites []websiteRecord
	labels   []labelRecord
	prompts  []promptRecord
}
