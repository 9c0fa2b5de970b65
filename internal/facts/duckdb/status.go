package duckdb

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Weeks is a run of published weeks of one kind. Their starts are Mondays,
// 00:00 UTC, in Unix seconds.
type Weeks struct {
	Kind        facts.Kind
	First, Last int64 // starts of the first and the last week
	Files       int64
	Rows, Bytes int64
	Newest      int64 // second of the newest row
}

// Total adds up the weeks of a kind. Without any, all but the kind is zero.
func Total(kind facts.Kind, all []Weeks) Weeks {
	total := Weeks{Kind: kind}
	for _, w := range all {
		if w.Kind != kind {
			continue
		}
		if total.Files == 0 || w.First < total.First {
			total.First = w.First
		}
		total.Last, total.Newest = max(total.Last, w.Last), max(total.Newest, w.Newest)
		total.Files += w.Files
		total.Rows += w.Rows
		total.Bytes += w.Bytes
	}
	return total
}

// Status is what a folder of facts holds, all of it read at one version.
type Status struct {
	Version  int64    // 0: nothing was ever published
	Weeks    []Weeks  // by kind and week; more than one week where a file covers more
	Inputs   int64    // that were ever loaded
	Latest   []Loaded // a few, the newest first
	Replaced Replaced
}

// Loaded is an input that was loaded.
type Loaded struct {
	Kind         facts.Kind
	Name         string // as the user wrote it
	Bytes, Lines int64
	Version      int64 // the publish that it was part of
	At           time.Time
}

// Replaced is the files that are no longer current and still on the disk.
type Replaced struct {
	Files, Bytes int64
	// Free is from when on the next load or prune removes all of them; zero
	// without files.
	Free time.Time
}

// latestInputs is how many inputs a status lists.
const latestInputs = 5

// ReadStatus reads the status of a folder. It takes no lock and writes nothing,
// so it works beside a load and where nothing may be written.
func ReadStatus(ctx context.Context, dir string) (status Status, err error) {
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
		return newManifest(dir).notLost()
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
