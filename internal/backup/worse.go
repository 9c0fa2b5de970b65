package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// notWorse refuses to write over a backup that has what the new one lacks: the
// old one may be all that is left of a directory that was lost or mixed up.
func (b *Backup) notWorse(ctx context.Context, items []Item) error {
	if _, err := os.Lstat(filepath.Join(b.dir, listName)); err != nil {
		return nil // the first one
	}
	old, err := Read(b.dir)
	if err == nil {
		err = b.lacks(ctx, old, items)
	}
	if err != nil {
		return fmt.Errorf("%w: nothing was backed up, and the backup in %s is as it was; name another folder, or add --replace to give that one up", err, b.dir)
	}
	return nil
}

// lacks says what is in the old backup and would not be in this one.
func (b *Backup) lacks(ctx context.Context, old *Backup, items []Item) error {
	secret, hadSecret := old.At("secret")
	_, hadCatalog := old.At("catalog.db")
	sum, hasCatalog := "", false
	for _, item := range items {
		switch item.Path {
		case "secret":
			var err error
			if sum, err = sumOf(ctx, item.File, &meter{}); err != nil {
				return err
			}
		case "catalog.db":
			hasCatalog = true
		}
	}
	switch {
	case hadSecret && sum == "":
		return errors.New("the data directory has no visitor secret, and the backup has one ('sightline restore DIR --repair' puts it back)")
	case hadSecret && sum != secret.SHA256:
		return errors.New("the backup is one of another data directory: its visitor secret is another")
	case old.FactsVersion > 0 && b.FactsVersion == 0:
		return fmt.Errorf("the backup has version %d of the facts, and this one would have none", old.FactsVersion)
	case old.FactsVersion > b.FactsVersion:
		return fmt.Errorf("the backup has version %d of the facts, and the data directory has the older version %d", old.FactsVersion, b.FactsVersion)
	case hadCatalog && !hasCatalog:
		return errors.New("the backup has a catalog, and this one would have none")
	}
	return nil
}
