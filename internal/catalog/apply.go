package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
)

// Change counts what an apply did to the records of one kind. What a workspace
// brings back from retirement counts as added.
type Change struct{ Added, Changed, Retired, Unchanged int }

// Changes counts what an apply did.
type Changes struct {
	Teams, Products, Websites, Labels, Prompts Change
	// Retired names what was retired, such as "prompt 11".
	Retired []string
	// Mended says that the catalog was damaged, and is what the workspace says now.
	Mended bool
}

// Any tells whether anything changed.
func (c Changes) Any() bool {
	if c.Mended {
		return true
	}
	for _, k := range []Change{c.Teams, c.Products, c.Websites, c.Labels, c.Prompts} {
		if k.Added+k.Changed+k.Retired > 0 {
			return true
		}
	}
	return false
}

// Apply makes the catalog what the workspace says, as a whole or not at all, and
// retires what the workspace does not name. A workspace that changes nothing
// leaves even the version alone. Where the history of the catalog forbids it the
// error is Mistakes. It mends a catalog that is damaged: all that is in use after
// it is in the workspace.
func (s *Store) Apply(ctx context.Context, w *Workspace) (changes Changes, err error) {
	err = s.change(ctx, func(tx *sql.Tx) (bool, error) {
		have, err := s.state(ctx, tx)
		if err != nil {
			return false, err
		}
		whole := have.whole()
		if err := w.checkHistory(have); err != nil {
			if !whole {
				return false, s.damaged("what it says of the owners of websites and prompts is not what was written")
			}
			return false, err
		}
		if changes, err = apply(&writer{ctx: ctx, tx: tx}, have, w.records()); err != nil {
			return false, err
		}
		changes.Mended = !whole
		if !changes.Any() {
			return false, nil
		}
		return true, sealWorkspace(ctx, tx)
	})
	if err != nil {
		return Changes{}, err
	}
	return changes, nil
}

// checkHistory refuses ids that would carry old facts to somebody else: answers
// know their prompt's id and visits their website's, and nothing more.
func (w *Workspace) checkHistory(have *state) error {
	n := &notes{file: w.file}
	for i, p := range w.products {
		for j, q := range p.prompts {
			old, ok := have.prompts.find(q.id)
			if ok && old.product != p.id {
				n.mistake(q.line, fmt.Sprintf("products[%d].prompts[%d].id", i, j),
					"prompt %d belonged to product %d: its answers would move along; give it a new id", q.id, old.product)
			}
		}
		for j, site := range p.websites {
			old, ok := have.websites.find(site.id)
			if !ok || old.product == p.id {
				continue
			}
			if owner, _ := have.products.find(old.product); owner.team == "" || owner.team != p.team.value {
				n.mistake(site.line, fmt.Sprintf("products[%d].websites[%d].websiteId", i, j),
					"website %s belonged to product %d of %s: its visits would move along; give it a new id",
					site.id, old.product, teamOrNone(owner.team))
			}
		}
	}
	return n.err()
}

func teamOrNone(team string) string {
	if team == "" {
		return "no team"
	}
	return "team " + team
}

// delta is what has to be written for one kind of record.
type delta[K comparable, R any] struct {
	write  []R
	retire []K
	Change
}

func diff[K comparable, R record[K, R]](have table[K, R], want []R) (d delta[K, R]) {
	wanted := make(map[K]bool)
	for _, r := range want {
		wanted[r.key()] = true
		old, ok := have.active[r.key()]
		switch {
		case !ok:
			d.Added++
			d.write = append(d.write, r)
		case !r.same(old):
			d.Changed++
			d.write = append(d.write, r)
		default:
			d.Unchanged++
		}
	}
	for k := range have.active {
		if !wanted[k] {
			d.Retired++
			d.retire = append(d.retire, k)
		}
	}
	return d
}

// apply writes the difference: owners before what they own.
func apply(w *writer, have *state, want wanted) (Changes, error) {
	teams, products := diff(have.teams, want.teams), diff(have.products, want.products)
	websites, labels := diff(have.websites, want.websites), diff(have.labels, want.labels)
	prompts := diff(have.prompts, want.prompts)
	w.teams(teams)
	w.products(products)
	w.websites(websites)
	w.labels(labels)
	w.prompts(prompts)
	var retired []string
	retired = append(retired, named("team", teams.retire, func(id string) string { return id })...)
	retired = append(retired, named("product", products.retire, decimal)...)
	retired = append(retired, named("website", websites.retire, func(id string) string { return id })...)
	retired = append(retired, named("label", labels.retire, func(k labelKey) string {
		return fmt.Sprintf("%d of product %d", k.id, k.product)
	})...)
	retired = append(retired, named("prompt", prompts.retire, decimal)...)
	return Changes{
		Teams: teams.Change, Products: products.Change, Websites: websites.Change, Labels: labels.Change, Prompts: prompts.Change, Retired: retired,
	}, w.err
}

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// named puts the kind before the ids of records, in order.
func named[K any](kind string, ids []K, show func(K) string) (names []string) {
	for _, id := range ids {
		names = append(names, kind+" "+show(id))
	}
	slices.Sort(names)
	return names
}
