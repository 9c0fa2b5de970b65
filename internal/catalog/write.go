package catalog

import (
	"context"
	"database/sql"
	"errors"
)

// writer runs statements, each prepared once, and keeps the first error.
type writer struct {
	ctx      context.Context
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
	err      error
}

func (w *writer) exec(query string, args ...any) {
	if w.err != nil {
		return
	}
	stmt, ok := w.prepared[query]
	if !ok {
		if stmt, w.err = w.tx.PrepareContext(w.ctx, query); w.err != nil {
			return
		}
		if w.prepared == nil {
			w.prepared = make(map[string]*sql.Stmt)
		}
		w.prepared[query] = stmt
	}
	_, w.err = stmt.ExecContext(w.ctx, args...)
}

// finish releases the statements and returns the first error.
func (w *writer) finish() error {
	for _, stmt := range w.prepared {
		w.err = errors.Join(w.err, stmt.Close())
	}
	return w.err
}

func (w *writer) teams(d delta[string, teamRecord]) {
	for _, t := range d.write {
		w.exec(`insert into teams (id, name) values ($1, $2)
			on conflict (id) do update set name = excluded.name, retired = false`, t.id, t.name)
	}
	for _, t := range d.write {
		w.exec(`delete from team_manages where team_id = $1`, t.id)
		for _, managed := range t.manages {
			w.exec(`insert into team_manages (team_id, managed_team_id) values ($1, $2)`, t.id, managed)
		}
	}
	for _, id := range d.retire {
		w.exec(`update teams set retired = true where id = $1`, id)
	}
}

func (w *writer) products(d delta[int64, productRecord]) {
	for _, p := range d.write {
		team := sql.NullString{String: p.team, Valid: p.team != ""}
		w.exec(`insert into products (id, team_id, name, website, domain) values ($1, $2, $3, $4, $5)
			on conflict (id) do update set team_id = excluded.team_id, name = excluded.name,
				website = excluded.website, domain = excluded.domain, retired = false`,
			p.id, team, p.name, p.website, p.domain)
	}
	for _, p := range d.write {
		w.exec(`delete from product_names where product_id = $1`, p.id)
		for i, name := range p.names {
			w.exec(`insert into product_names (product_id, ordinal, name) values ($1, $2, $3)`, p.id, i, name)
		}
		w.exec(`delete from product_competitors where product_id = $1`, p.id)
		for _, c := range p.competitors {
			w.exec(`insert into product_competitors (product_id, competitor_id) values ($1, $2)`, p.id, c)
		}
	}
	for _, id := range d.retire {
		w.exec(`update products set retired = true where id = $1`, id)
	}
}

func (w *writer) websites(d delta[string, websiteRecord]) {
	for _, s := range d.write {
		w.exec(`insert into websites (id, product_id, domain, partner, tracked) values ($1, $2, $3, $4, $5)
			on conflict (id) do update set product_id = excluded.product_id, domain = excluded.domain,
				partner = excluded.partner, tracked = excluded.tracked, retired = false`,
			s.id, s.product, s.domain, s.partner, s.tracked)
	}
	for _, id := range d.retire {
		w.exec(`update websites set retired = true where id = $1`, id)
	}
}

func (w *writer) labels(d delta[labelKey, labelRecord]) {
	for _, l := range d.write {
		w.exec(`insert into labels (product_id, id, name) values ($1, $2, $3)
			on conflict (product_id, id) do update set name = excluded.name, retired = false`,
			l.product, l.id, l.name)
	}
	for _, k := range d.retire {
		w.exec(`update labels set retired = true where product_id = $1 and id = $2`, k.product, k.id)
	}
}

// prompts leaves product_id alone: a prompt never changes its product.
func (w *writer) prompts(d delta[int64, promptRecord]) {
	for _, p := range d.write {
		w.exec(`insert into prompts (id, product_id, text, domain) values ($1, $2, $3, $4)
			on conflict (id) do update set text = excluded.text, domain = excluded.domain, retired = false`,
			p.id, p.product, p.text, p.domain)
		w.exec(`delete from prompt_platforms where prompt_id = $1`, p.id)
		for _, platform := range p.platforms {
			w.exec(`insert into prompt_platforms (prompt_id, platform) values ($1, $2)`, p.id, platform)
		}
		w.exec(`delete from prompt_labels where prompt_id = $1`, p.id)
		for _, label := range p.labels {
			w.exec(`insert into prompt_labels (prompt_id, product_id, label_id) values ($1, $2, $3)`, p.id, p.product, label)
		}
	}
	for _, id := range d.retire {
		w.exec(`update prompts set retired = true where id = $1`, id)
	}
}
