package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// writer runs statements and keeps the first error.
type writer struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// rowsAtOnce bounds a statement: one trip to a database that is far away, and few
// arguments, because SQLite looks each of them up among all others.
const rowsAtOnce = 50

// tuple is the values of one row.
type tuple = []any

// many runs a statement around a list of rows, such as insert into t (a) values
// ($1), ($2), for as many rows at once as is sensible: a database may be far away.
func (w *writer) many(before string, rows []tuple, after string) {
	for chunk := range slices.Chunk(rows, rowsAtOnce) {
		w.exec(before+" values "+places(len(chunk), len(chunk[0]))+after, slices.Concat(chunk...)...)
	}
}

// among runs a statement that ends with a column for many of its values.
func (w *writer) among(statement string, values []any) {
	for chunk := range slices.Chunk(values, rowsAtOnce) {
		w.exec(statement+" in "+places(1, len(chunk)), chunk...)
	}
}

func (w *writer) exec(statement string, args ...any) {
	if w.err == nil {
		_, w.err = w.tx.ExecContext(w.ctx, statement, args...)
	}
}

// places are numbered places for rows of so many columns: ($1, $2), ($3, $4).
func places(rows, columns int) string {
	var list strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			list.WriteString("(")
		case i%columns == 0:
			list.WriteString("), (")
		default:
			list.WriteString(", ")
		}
		fmt.Fprintf(&list, "$%d", i+1)
	}
	return list.String() + ")"
}

// replace empties the side table of owners before its rows are written anew.
func (w *writer) replace(table, owner string, owners []any, columns string, rows []tuple) {
	w.among("delete from "+table+" where "+owner, owners)
	w.many("insert into "+table+" ("+columns+")", rows, "")
}

// retire marks records that left the workspace.
func (w *writer) retire(table string, ids []any) {
	w.among("update "+table+" set retired = true where id", ids)
}

// each makes something of every record.
func each[R, T any](records []R, of func(R) T) (all []T) {
	for _, r := range records {
		all = append(all, of(r))
	}
	return all
}

func plain[T any](value T) any { return value }

func (w *writer) teams(d delta[string, teamRecord]) {
	w.many(`insert into teams (id, name)`, each(d.write, func(t teamRecord) tuple { return tuple{t.id, t.name} }),
		` on conflict (id) do update set name = excluded.name, retired = false`)
	var manages []tuple
	for _, t := range d.write {
		for _, managed := range t.manages {
			manages = append(manages, tuple{t.id, managed})
		}
	}
	ids := each(d.write, func(t teamRecord) any { return t.id })
	w.replace("team_manages", "team_id", ids, "team_id, managed_team_id", manages)
	w.retire("teams", each(d.retire, plain))
}

func (w *writer) products(d delta[int64, productRecord]) {
	w.many(`insert into products (id, team_id, name, website, domain)`, each(d.write, func(p productRecord) tuple {
		return tuple{p.id, sql.NullString{String: p.team, Valid: p.team != ""}, p.name, p.website, p.domain}
	}), ` on conflict (id) do update set team_id = excluded.team_id, name = excluded.name,
		website = excluded.website, domain = excluded.domain, retired = false`)
	var names, competitors []tuple
	for _, p := range d.write {
		for i, name := range p.names {
			names = append(names, tuple{p.id, i, name})
		}
		for _, c := range p.competitors {
			competitors = append(competitors, tuple{p.id, c})
		}
	}
	ids := each(d.write, func(p productRecord) any { return p.id })
	w.replace("product_names", "product_id", ids, "product_id, ordinal, name", names)
	w.replace("product_competitors", "product_id", ids, "product_id, competitor_id", competitors)
	w.retire("products", each(d.retire, plain))
}

func (w *writer) websites(d delta[string, websiteRecord]) {
	w.many(`insert into websites (id, product_id, domain, partner, tracked)`, each(d.write, func(s websiteRecord) tuple {
		return tuple{s.id, s.product, s.domain, s.partner, s.tracked}
	}), ` on conflict (id) do update set product_id = excluded.product_id, domain = excluded.domain,
		partner = excluded.partner, tracked = excluded.tracked, retired = false`)
	w.retire("websites", each(d.retire, plain))
}

func (w *writer) labels(d delta[labelKey, labelRecord]) {
	w.many(`insert into labels (product_id, id, name)`, each(d.write, func(l labelRecord) tuple { return tuple{l.product, l.id, l.name} }),
		` on conflict (product_id, id) do update set name = excluded.name, retired = false`)
	for _, k := range d.retire {
		w.exec(`update labels set retired = true where product_id = $1 and id = $2`, k.product, k.id)
	}
}

// prompts leaves product_id alone: a prompt never changes its product.
func (w *writer) prompts(d delta[int64, promptRecord]) {
	w.many(`insert into prompts (id, product_id, text, domain)`, each(d.write, func(p promptRecord) tuple {
		return tuple{p.id, p.product, p.text, p.domain}
	}), ` on conflict (id) do update set text = excluded.text, domain = excluded.domain, retired = false`)
	var platforms, labels []tuple
	for _, p := range d.write {
		for _, platform := range p.platforms {
			platforms = append(platforms, tuple{p.id, platform})
		}
		for _, label := range p.labels {
			labels = append(labels, tuple{p.id, p.product, label})
		}
	}
	ids := each(d.write, func(p promptRecord) any { return p.id })
	w.replace("prompt_platforms", "prompt_id", ids, "prompt_id, platform", platforms)
	w.replace("prompt_labels", "prompt_id", ids, "prompt_id, product_id, label_id", labels)
	w.retire("prompts", each(d.retire, plain))
}
