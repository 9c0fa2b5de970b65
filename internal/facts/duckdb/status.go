package duckdb

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// ReadStatus reads the status of a folder. It takes no lock and writes nothing,
// so it works beside a load and where nothing may be written.
func ReadStatus(ctx context.Context, dir string) (status facts.Status, err error) {
	err = reading(ctx, dir, func(m *manifest) error {
		status, err = m.status(ctx)
		return err
	})
	return status, err
}

// reading calls do with the manifest of a folder, or not at all where nothing
// was ever loaded.
func reading(ctx context.Context, dir string, do func(m *manifest) error) error {
	m, err := openManifest(ctx, dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(do(m), m.close())
}

// freeFrom is when a file that was removed at a second may leave the disk: the
// sweep spares it up to and including the last second of the grace period.
func freeFrom(removed int64) time.Time {
	return time.Unix(removed+1, 0).Add(grace).UTC()
}
