package catalog

import (
	"context"
	"database/sql"
)

// loader reads the database in one transaction and keeps the first error.
type loader struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

func loadState(ctx context.Context, tx *sql.Tx) (*state, error) {
	l := &loader{ctx: ctx, tx: tx}
	st := &state{}
	l.each(`select catalog_version, workspace_sum from meta`, func(scan scan) error { return scan(&st.version, &st.sealed) })
	l.teams(st)
	l.products(st)
	l.websites(st)
	l.labels(st)
	l.prompts(st)
	l.keys(st)
	return st, l.err
}

type scan func(dest ...any) error

// each calls row for every row of a query. It is the only place that drains
// rows, so none is left without a look at their final error.
func (l *loader) each(query string, row func(scan scan) error) {
	if l.err != nil {
		return
	}
	rows, err := l.tx.QueryContext(l.ctx, query)
	if err != nil {
		l.err = err
		return
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			l.err = misread{err}
			return
		}
	}
	l.err = rows.Err()
}

// lists reads a side table of an owner and a value, in the order of the query.
func lists[K comparable, V any](l *loader, query string) map[K][]V {
	m := make(map[K][]V)
	l.each(query, func(scan scan) error {
		var owner K
		var value V
		err := scan(&owner, &value)
		m[owner] = append(m[owner], value)
		return err
	})
	return m
}

func (l *loader) teams(st *state) {
	manages := lists[string, string](l, `select team_id, managed_team_id from team_manages`)
	l.each(`select id, name, retired from teams`, func(scan scan) error {
		var t teamRecord
		var retired bool
		err := scan(&t.id, &t.name, &retired)
		t.manages = sorted(manages[t.id])
		st.teams.add(t, retired)
		return err
	})
}

func (l *loader) products(st *state) {
	names := lists[int64, string](l, `select product_id, name from product_names order by product_id, ordinal`)
	competitors := lists[int64, int64](l, `select product_id, competitor_id from product_competitors order by product_id, competitor_id`)
	l.each(`select id, coalesce(team_id, ''), name, website, domain, retired from products`, func(scan scan) error {
		var p productRecord
		var retired bool
		err := scan(&p.id, &p.team, &p.name, &p.website, &p.domain, &retired)
		p.names, p.competitors = names[p.id], competitors[p.id]
		st.products.add(p, retired)
		return err
	})
}

func (l *loader) websites(st *state) {
	l.each(`select id, product_id, domain, partner, tracked, retired from websites`, func(scan scan) error {
		var w websiteRecord
		var retired bool
		err := scan(&w.id, &w.product, &w.domain, &w.partner, &w.tracked, &retired)
		st.websites.add(w, retired)
		return err
	})
}

func (l *loader) labels(st *state) {
	l.each(`select product_id, id, name, retired from labels`, func(scan scan) error {
		var r labelRecord
		var retired bool
		err := scan(&r.product, &r.id, &r.name, &retired)
		st.labels.add(r, retired)
		return err
	})
}

func (l *loader) prompts(st *state) {
	platforms := lists[int64, string](l, `select prompt_id, platform from prompt_platforms`)
	labels := lists[int64, int64](l, `select prompt_id, label_id from prompt_labels order by prompt_id, label_id`)
	l.each(`select id, product_id, text, domain, retired from prompts`, func(scan scan) error {
		var p promptRecord
		var retired bool
		err := scan(&p.id, &p.product, &p.text, &p.domain, &retired)
		// Sorted here: databases differ in how they order text.
		p.platforms, p.labels = sorted(platforms[p.id]), labels[p.id]
		st.prompts.add(p, retired)
		return err
	})
}

// keys leaves out those that are damaged: better that one does not work than
// that it works again.
func (l *loader) keys(st *state) {
	l.keyRows(func(r keyRow) {
		if k, ok := r.record(); ok {
			st.keys = append(st.keys, k)
		} else {
			st.damaged = append(st.damaged, r.id.String)
		}
	})
}
