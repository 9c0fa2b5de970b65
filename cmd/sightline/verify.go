package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/backup"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

func (a *app) verify() *cobra.Command {
	var of string
	c := &cobra.Command{
		Use:   "verify",
		Short: "Look for damage in the data directory, or in a backup",
		Long: `Look through the whole data directory: whether the catalog is sound, every file of facts is
there with the size and sum that the manifest says, has as many rows, and whether
everything that was counted at loading is what the rows give. It only reads, and may run
beside servers and loads. Exit code 1 and a list of what is wrong, and what to do, if
anything is.

With --backup, compare every file of a backup with its sum instead.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if of != "" {
				return a.verifyBackup(c.Context(), of)
			}
			return a.runVerify(c.Context())
		},
	}
	a.factsFlag(c)
	c.Flags().StringVar(&of, "backup", "", "the folder of a backup to verify, instead of the data directory")
	return c
}

func (a *app) runVerify(ctx context.Context) error {
	if err := a.checkData(); err != nil {
		return err
	}
	bar := newProgress(a.stderr)
	problems, err := a.verifyCatalog(ctx)
	if err != nil {
		return err
	}
	well := "The catalog is well; the facts were not looked at: they are in ClickHouse, use its CHECK TABLE."
	if a.facts == "" {
		v, err := duckdb.Verify(ctx, a.dir().Facts(), bar.files)
		bar.clear()
		if err != nil {
			return err
		}
		problems = append(problems, v.Problems...)
		if err := a.dir().FactsLost(); err != nil {
			problems = append(problems, err)
		}
		if err := a.verifySecret(ctx, v.Version); err != nil {
			problems = append(problems, err)
		}
		well = allIsWell
		if v.Version > 0 || len(problems) == 0 { // else nobody knows
			fmt.Fprintf(a.stdout, "Version %d of the facts: %s, %s, %s.\n", v.Version, plural(v.Files, "file"), plural(int(v.Rows), "row"), size(v.Bytes))
		}
	}
	return a.verdict(problems, a.data, well)
}

func (a *app) verifyCatalog(ctx context.Context) (problems []error, err error) {
	problems = a.soundCatalog(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return problems, nil
}

// soundCatalog says what is wrong with the catalog.
func (a *app) soundCatalog(ctx context.Context) (problems []error) {
	store, err := a.readCatalog(ctx)
	if err != nil {
		return []error{err}
	}
	defer store.Close()
	for _, problem := range store.Verify(ctx) {
		problems = append(problems, a.ifLost(problem))
	}
	return problems
}

// verifySecret looks at the visitor secret; before the first load there is none.
func (a *app) verifySecret(ctx context.Context, version int64) error {
	if _, err := os.Stat(a.secretPath()); errors.Is(err, fs.ErrNotExist) && version == 0 {
		return nil
	}
	return a.soundSecret(ctx)
}

func (a *app) verifyBackup(ctx context.Context, dir string) error {
	b, err := backup.Read(dir)
	if err != nil {
		return err
	}
	problems, err := a.compareSums(ctx, b)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "Backup of %s, version %d of the facts: %s, %s.\n", minute(b.Made), b.FactsVersion, plural(len(b.Files), "file"), size(b.Bytes()))
	return a.verdict(problems, dir, allIsWell)
}

// compareSums compares every file of a backup with its sum, and says what is wrong.
func (a *app) compareSums(ctx context.Context, b *backup.Backup) ([]error, error) {
	bar := newProgress(a.stderr)
	defer bar.clear()
	return b.Verify(ctx, bar.files)
}

const allIsWell = "All is well."

// verdict lists what is wrong, and fails if anything is.
func (a *app) verdict(problems []error, where, well string) error {
	for _, p := range problems {
		fmt.Fprintf(a.stdout, "WRONG: %v\n", p)
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s in %s (see docs/backup.md)", plural(len(problems), "problem"), where)
	}
	_, err := fmt.Fprintln(a.stdout, well)
	return err
}
