package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/backup"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

func (a *app) restore() *cobra.Command {
	var repair bool
	c := &cobra.Command{
		Use:   "restore DIR --data NEW",
		Short: "Make a data directory of a backup, or mend one",
		Long: `Make a new data directory of the backup in a folder. Every file of the backup is compared
with its sum before anything is written. The directory must not exist, or be empty; it
appears whole or not at all. API keys are those of the day of the backup: one that was
revoked since then works again, and has to be revoked again.

With --repair, mend the data directory instead: files of facts and the visitor secret that
are missing or damaged are taken from the backup, if it has them. Nothing else changes, and
a running server notices within seconds. A catalog or a manifest that is damaged is not
mended: restore the backup into a new directory.`,
		Args: oneArg("the folder of a backup"),
		RunE: func(c *cobra.Command, args []string) error {
			b, err := backup.Read(args[0])
			if err != nil {
				return err
			}
			if backup.Within(a.data, args[0]) && a.data != "" {
				return fmt.Errorf("%s is in the folder of the backup: name a data directory outside with --data", a.data)
			}
			if repair {
				return a.runRepair(c.Context(), b)
			}
			return a.runRestore(c.Context(), b)
		},
	}
	c.Flags().BoolVar(&repair, "repair", false, "mend the damaged files of a data directory that is in use")
	return c
}

func (a *app) runRestore(ctx context.Context, b *backup.Backup) error {
	if a.data == "" {
		return a.dir().Check()
	}
	if err := backup.CheckTarget(a.data); err != nil {
		return err
	}
	problems, err := a.compareSums(ctx, b)
	if err = errors.Join(append(problems, err)...); err != nil {
		return err
	}
	bar := newProgress(a.stderr)
	err = b.Restore(ctx, a.data, bar.files)
	bar.clear()
	if err != nil {
		return err
	}
	if a.dir().HasFacts() {
		if err := a.dir().NoteFacts(); err != nil {
			return err
		}
	}
	for _, what := range b.LeftOut {
		fmt.Fprintf(a.stderr, "Not in the backup: %s.\n", what)
	}
	_, err = fmt.Fprintf(a.stdout, "Restored %s, %s, version %d of the facts, from the backup of %s, to %s.\n",
		plural(len(b.Files), "file"), size(b.Bytes()), b.FactsVersion, minute(b.Made), a.data)
	if _, ok := b.At("catalog.db"); ok && err == nil {
		fmt.Fprintf(a.stderr, "API keys are as they were on %s: revoke those again that were revoked since then ('sightline key list').\n", minute(b.Made))
	}
	return err
}

// runRepair puts what is damaged back.
func (a *app) runRepair(ctx context.Context, b *backup.Backup) error {
	if err := a.dir().Check(); err != nil {
		return err
	}
	if err := a.dir().FactsLost(); err != nil {
		return err
	}
	backup.Tidy(a.data, "secret")
	backup.Tidy(a.dir().Facts(), ".duckdb")
	bar := newProgress(a.stderr)
	broken, err := duckdb.Broken(ctx, a.dir().Facts(), bar.files)
	bar.clear()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("--repair does not mend the manifest: %w", err)
	}
	var failed []error
	mended := 0
	for _, f := range broken {
		stored, ok := b.Holding(f.SHA256)
		if !ok {
			failed = append(failed, fmt.Errorf("%w; this backup does not have it: try an older or a newer one", f.Damage))
			continue
		}
		err := b.Put(ctx, stored, filepath.Join(a.dir().Facts(), f.Name), bar.files)
		bar.clear()
		if err != nil {
			failed = append(failed, err)
			continue
		}
		mended++
		fmt.Fprintf(a.stdout, "Mended %s.\n", filepath.Join(a.dir().Facts(), f.Name))
	}
	put, err := a.repairSecret(ctx, b)
	if put {
		mended++
	}
	if err := errors.Join(err, a.lookAtCatalog(ctx, b)); err != nil {
		failed = append(failed, err)
	}
	if mended+len(failed) == 0 {
		fmt.Fprintln(a.stdout, "Nothing to mend: all files are whole.")
	}
	return errors.Join(failed...)
}

// repairSecret puts the visitor secret back if it is missing, damaged or another
// one than the facts were loaded with. Before the first load there is none.
func (a *app) repairSecret(ctx context.Context, b *backup.Backup) (put bool, err error) {
	path := a.secretPath()
	stored, ok := b.At("secret")
	_, none := os.Stat(path)
	missing := errors.Is(none, fs.ErrNotExist)
	if missing && !ok && !a.dir().HasFacts() {
		return false, nil
	}
	if !missing && a.soundSecret(ctx) == nil {
		return false, nil
	}
	if !ok {
		return false, fmt.Errorf("%s is missing or damaged, and this backup has none: try another one", path)
	}
	if err := a.fitting(ctx, b, stored); err != nil {
		return false, err
	}
	if err := b.Put(ctx, stored, path, nil); err != nil {
		return false, err
	}
	fmt.Fprintf(a.stdout, "Mended %s.\n", path)
	return true, nil
}

// fitting fails if the secret of a backup is not the one of the facts.
func (a *app) fitting(ctx context.Context, b *backup.Backup, stored backup.File) error {
	known, err := duckdb.SecretOf(ctx, a.dir().Facts())
	if err != nil || known == "" {
		return err
	}
	text, err := b.Content(ctx, stored)
	if err != nil {
		return err
	}
	if secret, err := datadir.ParseSecret(text); err != nil || facts.Fingerprint(secret) != known {
		return fmt.Errorf("%s is missing or damaged, and the one of this backup is not that of the facts: try another one", a.secretPath())
	}
	return nil
}

// lookAtCatalog fails if the catalog of the directory is lost. It is not mended:
// the one of the backup is older than the facts may be, and a server has it open.
func (a *app) lookAtCatalog(ctx context.Context, b *backup.Backup) error {
	_, none := os.Stat(a.dir().Catalog())
	if _, ok := b.At("catalog.db"); a.catalogApart() || !ok && errors.Is(none, fs.ErrNotExist) {
		return nil // it is in PostgreSQL
	}
	err := errors.Join(a.soundCatalog(ctx)...)
	switch {
	case err == nil, errors.Is(err, catalog.ErrOlder):
		return nil
	case catalog.Lost(err):
		err = a.lostCatalog()
	}
	return fmt.Errorf("--repair does not mend the catalog: %w", err)
}
