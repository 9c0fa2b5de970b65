package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
)

func (a *app) migrate() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the tables of the catalog up to date, or make them",
		Long: `Bring the tables of the catalog up to date, or make them where there are none. 'apply' and
'key' do so themselves; this is for doing it at a moment of your choosing, before the servers
of a new version start. Doing it again changes nothing, and several hosts may do it at once.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.prepareCatalog(); err != nil {
				return err
			}
			m, err := catalog.Migrate(c.Context(), a.catalogPlace())
			if err != nil {
				return err
			}
			return a.printMigrated(m)
		},
	}
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
