package duckdb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/sightline-hq/sightline/internal/facts"
)

// build makes the new file of a span in the stage's folder: the rows of the old
// file that are not replaced, and the staged ones. Several are made at once, so
// each has names of its own for the databases "old" and "made".
type build struct {
	*stage
	span
	number  int
	names   *strings.Replacer
	week    *stagedWeek               // the staged visits
	numbers [len(vocabulary)][]uint32 // of words: of the stage → of the file
}

// plan prepares the builds, for table functions to find them by number.
func (s *stage) plan(spans []span) {
	s.builds = nil
	for i, sp := range spans {
		names := strings.NewReplacer("made.", fmt.Sprintf("made%d.", i), "old.", fmt.Sprintf("old%d.", i))
		b := &build{stage: s, span: sp, number: i, names: names}
		if s.kind == facts.KindVisits {
			b.week = s.visits.of(sp)
		}
		s.builds = append(s.builds, b)
	}
}

// buildAll makes the files of all spans, as many at once as there are cores.
func (s *stage) buildAll(ctx context.Context, spans []span, version int64) ([]file, error) {
	s.plan(spans)
	files := make([]file, len(spans))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, b := range s.builds {
		group.Go(func() (err error) {
			if files[i], err = b.run(ctx, version); err != nil {
				return fmt.Errorf("cannot write the week of %s: %w", weekName(b.firstWeek), advise(err))
			}
			return nil
		})
	}
	return files, group.Wait()
}

// run makes the file. One without rows is not kept.
func (b *build) run(ctx context.Context, version int64) (f file, err error) {
	f = file{
		name: fmt.Sprintf("%s-%s-v%d%s", b.kind, weekName(b.firstWeek), version, fileSuffix),
		kind: b.kind, firstWeek: b.firstWeek, lastWeek: b.lastWeek,
	}
	if b.old != nil {
		detach, err := b.attachOld(ctx, b.old, fmt.Sprint("old", b.number))
		if err != nil {
			return f, err
		}
		defer detach()
	}
	path := filepath.Join(b.dir, f.name)
	if _, err := b.db.ExecContext(ctx, fmt.Sprintf("attach %s as made%d", quote(path), b.number)); err != nil {
		return f, err
	}
	err = b.fill(ctx)
	if err == nil {
		err = b.db.QueryRowContext(ctx, b.names.Replace(fmt.Sprintf("select count(*), count(id), coalesce(max(ts), 0) from made.%s", b.kind))).
			Scan(&f.rows, &f.ids, &f.newest)
	}
	if err := errors.Join(err, b.detachMade(ctx)); err != nil {
		return f, err
	}
	return f, b.seal(path, &f)
}

// fill writes the tables.
func (b *build) fill(ctx context.Context) error {
	if err := b.exec(ctx, createTables(b.kind, "made")); err != nil {
		return err
	}
	if b.kind == facts.KindVisits {
		return b.fillVisits(ctx)
	}
	for _, statement := range fillAnswers(b.span) {
		if err := b.exec(ctx, statement); err != nil {
			return err
		}
	}
	return b.packAnswers(ctx)
}

func (b *build) exec(ctx context.Context, statement string) error {
	_, err := b.db.ExecContext(ctx, b.names.Replace(statement))
	return err
}

// madeName is what the new file is attached as.
func (b *build) madeName() string { return fmt.Sprint("made", b.number) }

func (b *build) detachMade(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	_, err := b.db.ExecContext(ctx, fmt.Sprintf("checkpoint made%d", b.number))
	_, err2 := b.db.ExecContext(ctx, fmt.Sprintf("detach made%d", b.number))
	return errors.Join(err, err2)
}

// seal makes a finished file durable and notes its size and checksum.
func (s *stage) seal(path string, f *file) error {
	if _, err := os.Stat(path + ".wal"); err == nil {
		return fmt.Errorf("%s was not written out completely", path)
	}
	if f.rows == 0 {
		return os.Remove(path)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		return err
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	hash := sha256.New()
	if f.bytes, err = io.Copy(hash, in); err != nil {
		return err
	}
	f.sha256 = hex.EncodeToString(hash.Sum(nil))
	return in.Sync()
}

func syncPath(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
