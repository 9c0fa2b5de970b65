package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
)

func (a *app) copy() *cobra.Command {
	var to, toFacts string
	c := &cobra.Command{
		Use:   "copy --to-catalog URL | --to URL",
		Short: "Copy the catalog to PostgreSQL or back, or the facts to ClickHouse",
		Long: `Copy the whole catalog, from the data directory or from where --catalog says, into an
empty PostgreSQL database, or into a new file. What was retired and the hashes of the keys
go along, so all keys go on working.

The copy is made at once or not at all, and refused if the target is not empty. What changes
afterwards does not follow: stop 'apply' and 'key' until the servers use the copy.

With --to, copy all facts, from the data directory or from where --facts says, into tables in
ClickHouse that 'sightline migrate' has made and that are empty. It goes week by week; if it is interrupted, the same
command goes on with the rest. Nothing can be loaded meanwhile. At the end, source and copy are compared.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if to == "" && toFacts == "" {
				return wrong(c, "needs --to-catalog, such as postgres://user@host:5432/database, or --to, such as clickhouse://user@host:9000/database")
			}
			if to != "" {
				copied, err := a.copyCatalog(c.Context(), to)
				if err != nil {
					return err
				}
				if err := printCopied(a.stdout, copied); err != nil {
					return err
				}
			}
			if toFacts == "" {
				return nil
			}
			return a.copyFacts(c.Context(), toFacts)
		},
	}
	c.Flags().StringVar(&to, "to-catalog", "", "URL of an empty PostgreSQL database, or the name of a new file")
	c.Flags().StringVar(&toFacts, "to", "", "URL of tables for facts in ClickHouse: clickhouse://user@host:9000/db?cluster=NAME")
	a.factsFlag(c)
	return c
}

func (a *app) copyCatalog(ctx context.Context, place string) (catalog.Copied, error) {
	from, err := a.readCatalog(ctx)
	if err != nil {
		return catalog.Copied{}, err
	}
	defer from.Close()
	to, err := catalog.Open(ctx, place)
	if err != nil {
		return catalog.Copied{}, err
	}
	defer to.Close()
	return catalog.Copy(ctx, from, to)
}

func printCopied(w io.Writer, c catalog.Copied) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TABLE\tROWS")
	for _, table := range c.Tables {
		fmt.Fprintf(t, "%s\t%d\n", table.Name, table.Rows)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nCopied %s from %s to %s.\nMove the old one away once the servers use the new one: commands that do not name a catalog would go on changing it.\n",
		plural(c.Rows(), "row"), c.From, c.To)
	return err
}
