package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Belongings are what the catalog has of a team, a product or a website, in the
// workspace or retired: all that goes if it is to be forgotten.
type Belongings struct {
	Team     string // "" if only products or websites are meant
	Products []int64
	Websites []string
	Prompts  []int64
	Keys     []string // ids of the team's keys
	// Active names what is still in the workspace, such as "product 101". It stays
	// in the catalog.
	Active []string
}

// Nothing says that the catalog knows nothing of it.
func (b Belongings) Nothing() bool {
	return b.Team == "" && len(b.Products)+len(b.Websites) == 0
}

// OfTeam lists what a team has.
func (s *Store) OfTeam(ctx context.Context, id string) (Belongings, error) {
	return s.belongings(ctx, func(st *state, b *Belongings) {
		if _, ok := st.teams.find(id); !ok {
			return
		}
		b.Team = id
		if _, active := st.teams.active[id]; active {
			b.Active = append(b.Active, "team "+id)
		}
		for _, p := range all(st.products) {
			if p.team == id {
				b.addProduct(st, p)
			}
		}
	})
}

// OfProduct lists what a product has.
func (s *Store) OfProduct(ctx context.Context, id int64) (Belongings, error) {
	return s.belongings(ctx, func(st *state, b *Belongings) {
		if p, ok := st.products.find(id); ok {
			b.addProduct(st, p)
		}
	})
}

// OfWebsite lists a website alone.
func (s *Store) OfWebsite(ctx context.Context, id string) (Belongings, error) {
	return s.belongings(ctx, func(st *state, b *Belongings) {
		if w, ok := st.websites.find(id); ok {
			b.addWebsite(st, w)
		}
	})
}

func (s *Store) belongings(ctx context.Context, collect func(*state, *Belongings)) (b Belongings, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		st, err := s.wholeState(ctx, tx)
		if err != nil {
			return err
		}
		collect(st, &b)
		if b.Team == "" {
			return nil
		}
		l := &loader{ctx: ctx, tx: tx}
		keys := lists[string, string](l, `select team_id, id from api_keys`)
		b.Keys = sorted(keys[b.Team])
		return l.err
	})
	return b, err
}

func (b *Belongings) addProduct(st *state, p productRecord) {
	b.Products = append(b.Products, p.id)
	if _, active := st.products.active[p.id]; active {
		b.Active = append(b.Active, "product "+strconv.FormatInt(p.id, 10))
	}
	for _, w := range all(st.websites) {
		if w.product == p.id {
			b.addWebsite(st, w)
		}
	}
	for _, q := range all(st.prompts) {
		if q.product == p.id {
			b.Prompts = append(b.Prompts, q.id)
		}
	}
}

func (b *Belongings) addWebsite(st *state, w websiteRecord) {
	b.Websites = append(b.Websites, w.id)
	if _, active := st.websites.active[w.id]; active {
		b.Active = append(b.Active, "website "+w.id)
	}
}

// all lists the records of a table, active or retired, by key.
func all[K cmp.Ordered, R record[K, R]](t table[K, R]) (list []R) {
	for _, records := range []map[K]R{t.active, t.retired} {
		for _, r := range records {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b R) int { return cmp.Compare(a.key(), b.key()) })
	return list
}

// Forget deletes belongings for good. What is in the workspace cannot be
// deleted: the next apply would bring it back. The log of keys stays.
func (s *Store) Forget(ctx context.Context, b Belongings) error {
	err := s.change(ctx, func(tx *sql.Tx) (bool, error) {
		st, err := s.wholeState(ctx, tx)
		if err != nil {
			return false, err
		}
		if still := inWorkspace(st, b); still != "" {
			return false, fmt.Errorf("%s is in the workspace: take it out of the file and apply that first", still)
		}
		w := &writer{ctx: ctx, tx: tx}
		w.forget(b)
		if w.err == nil && b.Team != "" {
			w.forgetTeam(b)
		}
		if w.err != nil || b.Nothing() {
			return false, w.err
		}
		return true, sealWorkspace(ctx, tx)
	})
	if err != nil {
		return err
	}
	if err := s.engine.settle(ctx, s.db); err != nil {
		return s.explain(err)
	}
	return nil
}

func inWorkspace(st *state, b Belongings) string {
	if _, ok := st.teams.active[b.Team]; ok {
		return "team " + b.Team
	}
	for _, id := range b.Products {
		if _, ok := st.products.active[id]; ok {
			return fmt.Sprintf("product %d", id)
		}
	}
	for _, id := range b.Websites {
		if _, ok := st.websites.active[id]; ok {
			return "website " + id
		}
	}
	return ""
}

// forget deletes products and websites, what they own before them.
func (w *writer) forget(b Belongings) {
	products, prompts := each(b.Products, plain), each(b.Prompts, plain)
	w.among("delete from prompt_labels where prompt_id", prompts)
	w.among("delete from prompt_platforms where prompt_id", prompts)
	w.among("delete from prompts where id", prompts)
	w.among("delete from labels where product_id", products)
	w.among("delete from websites where id", each(b.Websites, plain))
	w.among("delete from product_names where product_id", products)
	w.among("delete from product_competitors where product_id", products)
	w.among("delete from product_competitors where competitor_id", products)
	w.among("delete from products where id", products)
}

// forgetTeam deletes a team and its keys. That keys end is noted.
func (w *writer) forgetTeam(b Belongings) {
	for _, id := range b.Keys {
		k, err := findKey(w.ctx, w.tx, id)
		if err == nil && !k.Revoked() {
			err = logKey(w.ctx, w.tx, KeyRevoked, k, "with its team")
		}
		w.err = errors.Join(w.err, err)
	}
	w.among("delete from api_keys where id", each(b.Keys, plain))
	w.among("delete from team_manages where team_id", []any{b.Team})
	w.among("delete from team_manages where managed_team_id", []any{b.Team})
	w.among("delete from teams where id", []any{b.Team})
}
