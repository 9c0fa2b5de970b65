package catalog

// Scope is what one key may see: the products of its team and of the teams that
// its team manages directly. The zero Scope sees nothing.
type Scope struct {
	reach *reach
	key   string // its id
}

// reach is shared by all keys of a team.
type reach struct {
	team     string
	products []Primary // by id
	byID     map[int64]Primary
}

// KeyID returns the id of the key, which is no secret.
func (s Scope) KeyID() string { return s.key }

// TeamID returns the team that owns the key.
func (s Scope) TeamID() string {
	if s.reach == nil {
		return ""
	}
	return s.reach.team
}

// Products returns the products in scope, by id.
func (s Scope) Products() []Primary {
	if s.reach == nil {
		return nil
	}
	return s.reach.products
}

// Product returns a product if it is in scope. A product that does not exist and
// one that belongs to somebody else look the same.
func (s Scope) Product(id int64) (Primary, bool) {
	if s.reach == nil {
		return Primary{}, false
	}
	p, ok := s.reach.byID[id]
	return p, ok
}

// Primary is a product that a scope authorised. Reports take nothing else, so a
// report without a scope does not compile: only Scope makes one.
type Primary struct{ product *Product }

// Product returns the product; nil for the zero Primary.
func (p Primary) Product() *Product { return p.product }

// newReach collects the products of a team and of those it manages directly.
// Managed teams' own managed teams are out of reach: one level, not a tree.
func newReach(team teamRecord, products []*Product) *reach {
	teams := map[string]bool{team.id: true}
	for _, managed := range team.manages {
		teams[managed] = true
	}
	r := &reach{team: team.id, byID: make(map[int64]Primary)}
	for _, p := range products {
		if p.TeamID != "" && teams[p.TeamID] {
			r.products = append(r.products, Primary{p})
			r.byID[p.ID] = Primary{p}
		}
	}
	return r
}
