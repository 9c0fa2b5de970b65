package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

func (a *app) migrate() *cobra.Command {
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the tables of the catalog and of the facts up to date, or make them",
		Long: `Bring the tables of the catalog up to date, or make them where there are none. 'apply' and
'key' do so themselves; this is for doing it at a moment of your choosing, before the servers
of a new version start. Doing it again changes nothing, and several hosts may do it at once.

Facts in the data directory are served as they are, whichever version loaded them; but an
earlier one may not have counted all that this one does. Their files are written anew, a few
at a time, while servers go on: reports stay the same and are sooner done.

With --facts, it makes the database and the tables for facts in ClickHouse too, on every
server of the cluster, or brings them up to date. Nothing else does that. What an earlier
version did not count of the visits there is counted then, some weeks at a time: it may be
interrupted, and goes on where it was when it is run again.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.prepareCatalog(); err != nil {
				return err
			}
			m, err := catalog.Migrate(c.Context(), a.catalogPlace())
			if err != nil {
				return a.ifLost(err)
			}
			if err := a.printMigrated(m); err != nil {
				return err
			}
			if a.facts == "" {
				return a.renewFacts(c.Context())
			}
			return a.migrateFacts(c.Context())
		},
	}
	a.factsFlag(c)
	return c
}

// renewFacts writes anew what an earlier version wrote.
func (a *app) renewFacts(ctx context.Context) error {
	if err := a.dir().FactsLost(); err != nil {
		return err
	}
	n, err := duckdb.Outdated(ctx, a.dir().Facts())
	if err != nil || n == 0 {
		return err
	}
	loader, err := duckdb.OpenLoader(ctx, a.dir().Facts(), a.waiting)
	if err != nil {
		return err
	}
	bar := newProgress(a.stderr)
	done, err := loader.Renew(ctx, bar.rewritten)
	bar.clear()
	if err = errors.Join(err, loader.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "Written anew: %s of facts, %s. What was there before goes with the next load.\n", plural(done.Files, "file"), size(done.Bytes))
	return err
}

func (a *app) migrateFacts(ctx context.Context) error {
	store, err := a.clickhouse()
	if err != nil {
		return err
	}
	done, err := store.Migrate(ctx)
	if err != nil {
		return err
	}
	servers := plural(len(done.Servers), "server")
	switch done.From {
	case done.To:
		_, err = fmt.Fprintf(a.stdout, "The facts %s have schema %d already, on %s.\n", store.Config, done.To, servers)
	case 0:
		_, err = fmt.Fprintf(a.stdout, "The facts %s are new, with schema %d, on %s.\n", store.Config, done.To, servers)
	default:
		_, err = fmt.Fprintf(a.stdout, "The facts %s went from schema %d to %d, on %s.\n", store.Config, done.From, done.To, servers)
	}
	if err != nil {
		return err
	}
	return a.countFacts(ctx, store)
}

// countFacts counts what an earlier version did not.
func (a *app) countFacts(ctx context.Context, store clickhouse.Store) error {
	bar := newProgress(a.stderr)
	done, err := store.Count(ctx, a.waiting, bar.counted)
	bar.clear()
	if done.Weeks > 0 {
		_, e := fmt.Fprintf(a.stdout, "Counted: the visits of %s, for reports that are sooner done.\n", plural(done.Weeks, "week"))
		err = errors.Join(err, e)
	}
	return err
}

func (a *app) printMigrated(m catalog.Migrated) (err error) {
	switch m.From {
	case m.To:
		_, err = fmt.Fprintf(a.stdout, "The catalog %s has schema %d already.\n", m.Place, m.To)
	case 0:
		_, err = fmt.Fprintf(a.stdout, "The catalog %s is new, with schema %d.\n", m.Place, m.To)
	default:
		_, err = fmt.Fprintf(a.stdout, "The catalog %s went from schema %d to %d.\n", m.Place, m.From, m.To)
	}
	return err
}
