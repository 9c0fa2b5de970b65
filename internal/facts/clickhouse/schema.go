package clickhouse

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"

	"github.com/sightline-hq/sightline/internal/facts"
)

//go:embed sql/*.sql
var migrations embed.FS

// migration is one step of the schema.
type migration struct {
	number     int64
	statements []string
}

// steps are all migrations, in order. Each of their statements may be run again.
func (c Config) steps(replicated bool) (all []migration, err error) {
	names, err := fs.Glob(migrations, "sql/[0-9]*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for i, name := range names {
		parsed, err := template.ParseFS(migrations, name)
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		values := places{DB: c.Database, name: c.Cluster, replicated: replicated}
		if c.Cluster != "" {
			values.Cluster = quote(c.Cluster)
		}
		if err := parsed.Execute(&text, values); err != nil {
			return nil, err
		}
		all = append(all, migration{int64(i + 1), split(text.String())})
	}
	return all, nil
}

// places is where the tables of a migration are.
type places struct {
	DB, Cluster string // in SQL; an empty cluster: one server
	name        string // of the cluster
	replicated  bool
}

// Tree is the engine of a table, or that of its replicas, with what it takes
// besides.
func (p places) Tree(table, kind string, more ...string) string {
	if !p.replicated {
		return kind + "MergeTree(" + strings.Join(more, ", ") + ")"
	}
	path := quote("/clickhouse/sightline/" + p.name + "/{shard}/" + p.DB + "/" + table)
	return "Replicated" + kind + "MergeTree(" + strings.Join(append([]string{path, "'{replica}'"}, more...), ", ") + ")"
}

// Settings are those of a table. Loads drop large parts of small tables: a replica
// that was killed meanwhile would not start, because that looks like a mistake.
func (p places) Settings(more ...string) string {
	if p.replicated {
		more = append(more, "replicated_max_ratio_of_wrong_parts = 1")
	}
	if len(more) == 0 {
		return ""
	}
	return " settings " + strings.Join(more, ", ")
}

// split cuts a file into statements, without comments.
func split(text string) (statements []string) {
	var clean strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "--")
		clean.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	for s := range strings.SplitSeq(clean.String(), ";\n") {
		if s = strings.TrimSpace(s); s != "" {
			statements = append(statements, s)
		}
	}
	return statements
}

// Migrated says what a migration did.
type Migrated struct {
	Servers []string
	From    int64 // the oldest schema that was found
	To      int64
}

// Migrate brings the schema on all servers up to date. It may be run again and
// again, and after it was interrupted.
func (s Store) Migrate(ctx context.Context) (done Migrated, err error) {
	b, err := s.open()
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	servers, err := b.servers(ctx)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, servers.close()) }()
	if err := servers.checkMacros(ctx); err != nil {
		return done, err
	}
	steps, err := s.Config.steps(servers.replicated())
	if err != nil {
		return done, err
	}
	done.From, done.To = int64(len(steps)), int64(len(steps))
	for _, server := range slices.Concat(servers...) {
		from, err := b.migrate(ctx, server, steps)
		if err != nil {
			return done, fmt.Errorf("server %s could not be migrated: %w", server, err)
		}
		done.From = min(done.From, from)
		done.Servers = append(done.Servers, server.String())
	}
	return done, nil
}

func (b *base) migrate(ctx context.Context, on server, steps []migration) (from int64, err error) {
	for _, statement := range []string{
		"create database if not exists " + b.config.Database,
		"create table if not exists " + b.local("migrations") + " (number UInt32, at DateTime default now()) engine = MergeTree partition by tuple() order by number",
	} {
		if err := on.exec(ctx, statement); err != nil {
			return 0, err
		}
	}
	if from, err = b.schema(ctx, on); err != nil {
		return from, err
	}
	if from > int64(len(steps)) {
		return from, newer(from, len(steps))
	}
	for _, m := range steps[from:] {
		for _, statement := range m.statements {
			if err := on.exec(ctx, statement); err != nil {
				return from, err
			}
		}
		if err := on.exec(ctx, fmt.Sprintf("insert into %s (number) select %d", b.local("migrations"), m.number)); err != nil {
			return from, err
		}
	}
	return from, nil
}

// querier is a server, or any of several.
type querier interface {
	query(ctx context.Context, sql string, row func(facts.Scan) error, settings ...string) error
}

// schema is the number of the last migration on a server; 0: none.
func (b *base) schema(ctx context.Context, on querier) (int64, error) {
	n, err := scalar(ctx, on, "select max(number) from "+b.local("migrations"))
	if hasCode(err, codeUnknownTable, codeUnknownBase) {
		return 0, nil
	}
	return n, err
}

// checkSchema refuses a schema that this program does not know.
func (b *base) checkSchema(ctx context.Context, on querier) error {
	steps, err := b.config.steps(false) // their number is the same
	if err != nil {
		return err
	}
	number, err := b.schema(ctx, on)
	switch {
	case err != nil:
		return err
	case number == 0:
		return fmt.Errorf("%s has no tables for facts yet: make them with 'sightline migrate --facts …'", b.config)
	case number < int64(len(steps)):
		return fmt.Errorf("the tables of %s are of an earlier sightline (schema %d of %d): bring them up to date with 'sightline migrate --facts …'",
			b.config, number, len(steps))
	case number > int64(len(steps)):
		return newer(number, len(steps))
	}
	return nil
}

func newer(found int64, known int) error {
	return fmt.Errorf("the tables of the facts have schema %d, this sightline knows up to %d: use the newer sightline that made them", found, known)
}
