package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
)

func (a *app) apply() *cobra.Command {
	c := &cobra.Command{
		Use:   "apply workspace.yaml",
		Short: "Make the catalog what a workspace file says",
		Long: `Make the catalog what a workspace file (YAML or JSON) says: teams, products, competitors,
websites, labels and prompts.

The file is applied as a whole, or not at all if anything in it is wrong. What is no
longer in it is retired: no longer reported, its facts kept. A running server follows
within a second. "-" reads standard input.

A catalog that is damaged, by a disk for instance, is put right by applying the file again.

If there are facts but their catalog is gone, nothing is applied: the catalog of a backup has
the API keys, a new one has none. --new-catalog makes a new one all the same.`,
		Args: oneArg("a workspace file"),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := a.readFile(args[0])
			if err != nil {
				return err
			}
			workspace, err := catalog.ParseWorkspace(args[0], text)
			if err != nil {
				return mistakes(err)
			}
			store, err := a.openCatalog(c.Context())
			if err != nil {
				return err
			}
			defer store.Close()
			changes, err := store.Apply(c.Context(), workspace)
			if err != nil {
				return mistakes(err)
			}
			for _, w := range workspace.Warnings {
				fmt.Fprintln(a.stderr, "warning:", w)
			}
			return printChanges(a.stdout, changes)
		},
	}
	c.Flags().BoolVar(&a.newCatalog, "new-catalog", false, "make a new catalog, without keys, for facts whose catalog is lost")
	return c
}

func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.stdin)
	}
	return os.ReadFile(name)
}

// mistakes puts a list of mistakes under a line that says what happened.
func mistakes(err error) error {
	var list catalog.Mistakes
	if errors.As(err, &list) {
		return fmt.Errorf("nothing was applied:\n%w", err)
	}
	return err
}

func printChanges(w io.Writer, c catalog.Changes) error {
	if c.Mended {
		fmt.Fprintln(w, "The catalog was damaged. It says what the file says now.")
	}
	if !c.Any() {
		_, err := fmt.Fprintln(w, "Nothing has changed.")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tadded\tchanged\tretired\tunchanged")
	for _, row := range []struct {
		name string
		catalog.Change
	}{
		{"teams", c.Teams}, {"products", c.Products}, {"websites", c.Websites}, {"labels", c.Labels}, {"prompts", c.Prompts},
	} {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\n", row.name, row.Added, row.Changed, row.Retired, row.Unchanged)
	}
	if err := t.Flush(); err != nil || len(c.Retired) == 0 {
		return err
	}
	const enough = 20
	more := ""
	if n := len(c.Retired) - enough; n > 0 {
		c.Retired, more = c.Retired[:enough], fmt.Sprintf(" and %d more", n)
	}
	_, err := fmt.Fprintf(w, "retired: %s%s\n", strings.Join(c.Retired, ", "), more)
	return err
}
