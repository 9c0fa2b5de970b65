package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/backup"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

func (a *app) backup() *cobra.Command {
	var o backup.Options
	c := &cobra.Command{
		Use:   "backup DIR",
		Short: "Copy the data directory into a folder, while everything runs",
		Long: `Copy catalog, facts and visitor secret into a folder, as they are at one moment: servers,
loads and everything else may go on. The next backup into the same folder copies only files
that are new, and removes those that are no longer needed; until it is complete, the one
before stays whole. 'sightline restore' puts a backup back.

A backup is not replaced by one that has less: where the directory has another visitor secret
or none, older facts or none, or no catalog, the command fails. --replace does it all the same.

Reject files are left out. A catalog in PostgreSQL and facts in ClickHouse are left out too,
and have tools of their own: pg_dump, and ClickHouse's BACKUP.`,
		Args: oneArg("a folder for the backup"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runBackup(c.Context(), args[0], o)
		},
	}
	a.factsFlag(c)
	c.Flags().BoolVar(&o.Link, "link", false, "make hard links of facts where the folder is on the same disk: no room and no time, but no help if the disk fails")
	c.Flags().BoolVar(&o.Replace, "replace", false, "give up the backup in the folder, even if it has what the new one lacks")
	return c
}

func (a *app) runBackup(ctx context.Context, dir string, o backup.Options) error {
	if err := a.checkData(); err != nil {
		return err
	}
	if backup.Within(dir, a.data) {
		return fmt.Errorf("%s is in the data directory, and would be lost with it: name a folder outside for backups", dir)
	}
	work, remove, err := backup.Scratch(os.TempDir(), "sightline-backup-")
	if err != nil {
		return err
	}
	defer remove()
	b := &backup.Backup{Made: time.Now().UTC().Truncate(time.Second), Program: version}
	items, release, err := a.collect(ctx, b, work)
	if err != nil {
		return err
	}
	defer release()
	bar := newProgress(a.stderr)
	o.Progress = bar.files
	made, err := backup.Write(ctx, dir, b, items, o)
	bar.clear()
	if err != nil {
		return err
	}
	for _, what := range b.LeftOut {
		fmt.Fprintf(a.stderr, "Not in the backup: %s.\n", what)
	}
	if made.Linked > 0 {
		fmt.Fprintf(a.stderr, "Linked files were not read: 'sightline verify --backup %s' tells whether they are whole.\n", dir)
	}
	_, err = fmt.Fprintf(a.stdout, "Backed up %s, %s, version %d of the facts, to %s: %s copied (%s), %d linked, the rest was there.\n",
		plural(made.Files, "file"), size(made.Bytes), b.FactsVersion, dir, plural(made.Copied, "file"), size(made.CopiedBytes), made.Linked)
	return err
}

// collect holds open what is to be backed up. The facts come first: a catalog
// that is a moment newer knows all that they refer to.
func (a *app) collect(ctx context.Context, b *backup.Backup, work string) (items []backup.Item, release func(), err error) {
	release = func() {
		for _, item := range items {
			item.File.Close()
		}
	}
	defer func() {
		if err != nil {
			release()
		}
	}()
	add := func(path, file, sum string) error {
		f, err := os.Open(file)
		if err == nil {
			items = append(items, backup.Item{Path: path, File: f, SHA256: sum})
		}
		return err
	}
	if a.facts != "" {
		b.LeftOut = append(b.LeftOut, "the facts, which are in ClickHouse: use its BACKUP, as docs/scaling.md says")
	} else {
		if err := a.dir().FactsLost(); err != nil {
			return items, release, err
		}
		pinned, err := duckdb.Pin(ctx, a.dir().Facts(), filepath.Join(work, duckdb.ManifestName))
		if err != nil {
			return items, release, err
		}
		b.FactsVersion = pinned.Version
		for _, f := range pinned.Files {
			items = append(items, backup.Item{Path: "facts/" + f.Name, File: f.File, SHA256: f.SHA256, Link: true})
		}
		if pinned.Version > 0 {
			if err := add("facts/"+duckdb.ManifestName, pinned.Manifest, ""); err != nil {
				return items, release, err
			}
		}
	}
	if err := add("secret", filepath.Join(a.data, "secret"), ""); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return items, release, err
	}
	if a.catalogApart() {
		b.LeftOut = append(b.LeftOut, "the catalog, which is in PostgreSQL: use pg_dump, as docs/scaling.md says")
		return items, release, nil
	}
	copied := filepath.Join(work, "catalog.db")
	store, err := a.readCatalog(ctx)
	if err != nil {
		return items, release, err
	}
	if err := errors.Join(store.CopyInto(ctx, copied), store.Close()); err != nil {
		return items, release, err
	}
	return items, release, add("catalog.db", copied, "")
}
