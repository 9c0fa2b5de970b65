package duckdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/sightline-hq/sightline/internal/facts"
)

// build makes the new file of a span in the stage's folder: the rows of the old
// files that are not replaced, and the staged ones. Several are made at once, so
// each has names of its own for the databases.
type build struct {
	*stage
	span
	number  int
	dirty   map[int64]bool            // weeks that are not simply copied
	numbers [len(vocabulary)][]uint32 // of words: of the stage → of the file

	tallyWords *tallyWords // of the new file, once visits are counted
}

// made is what the new file is attached as, and old an old one.
func (b *build) made() string     { return fmt.Sprint("made", b.number) }
func (b *build) old(i int) string { return fmt.Sprintf("old%d_%d", b.number, i) }

// plan prepares the builds, for table functions to find them by number.
func (s *stage) plan(spans []span) {
	s.builds = nil
	for i, sp := range spans {
		b := &build{stage: s, span: sp, number: i, dirty: make(map[int64]bool)}
		for _, week := range s.staged {
			if sp.firstWeek <= week && week <= sp.lastWeek {
				b.dirty[week] = true
			}
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
			s.built()
			return nil
		})
	}
	return files, group.Wait()
}

// run makes the file. One without rows is not kept.
func (b *build) run(ctx context.Context, version int64) (f file, err error) {
	f = file{
		name: fmt.Sprintf("%s-%s-v%d%s", b.kind, weekName(b.firstWeek), version, fileSuffix),
		kind: b.kind, firstWeek: b.firstWeek, lastWeek: b.lastWeek, tables: tablesNow,
	}
	for i := range b.olds {
		// Damage would be copied, and nothing would tell of it any more.
		if err := b.olds[i].whole(ctx, b.loader.dir, nil); err != nil {
			return f, err
		}
		detach, err := b.attachOld(ctx, &b.olds[i], b.old(i))
		if err != nil {
			return f, err
		}
		defer detach()
	}
	path := filepath.Join(b.dir, f.name)
	if err := b.exec(ctx, "attach "+quote(path)+" as "+b.made()); err != nil {
		return f, err
	}
	err = b.fill(ctx)
	if err == nil {
		err = b.exec(ctx, f.mark(b.made()))
	}
	if err == nil {
		err = b.db.QueryRowContext(ctx, fmt.Sprintf("select count(*), count(id), coalesce(max(ts), 0) from %s.%s", b.made(), b.kind)).
			Scan(&f.rows, &f.ids, &f.newest)
	}
	if err := errors.Join(err, b.detachMade(ctx)); err != nil {
		return f, err
	}
	return f, b.seal(path, &f)
}

// fill writes the tables, week by week: a week that nothing was added to is
// copied with all that was counted of it.
func (b *build) fill(ctx context.Context) error {
	if err := b.exec(ctx, createTables(b.kind, b.made())); err != nil {
		return err
	}
	if b.without != nil {
		return b.fillWithout(ctx)
	}
	if err := b.findDirty(ctx); err != nil {
		return err
	}
	fill := b.fillAnswers
	if b.kind == facts.KindVisits {
		fill = b.fillVisits
	}
	return fill(ctx)
}

// findDirty notes the weeks of the old files with rows that staged ones replace.
func (b *build) findDirty(ctx context.Context) error {
	for i, f := range b.olds {
		if b.ids == 0 || f.ids == 0 {
			continue
		}
		query := fmt.Sprintf("select distinct ts - (ts + %d) %% %d from %s.%s join stage.staged_ids using (id)",
			3*facts.DaySeconds, facts.WeekSeconds, b.old(i), b.kind)
		err := b.each(ctx, query, func(scan facts.Scan) error {
			var week int64
			err := scan(&week)
			b.dirty[week] = true
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// within is the condition for rows of a week.
func within(week int64) string {
	return fmt.Sprintf("ts >= %d and ts < %d", week, week+facts.WeekSeconds)
}

func (b *build) exec(ctx context.Context, statement string) error {
	_, err := b.db.ExecContext(ctx, statement)
	return err
}

func (b *build) detachMade(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(b.exec(ctx, "checkpoint "+b.made()), b.exec(ctx, "detach "+b.made()))
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
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f.bytes = info.Size()
	if f.sha256, err = sumOf(context.Background(), path, nil); err != nil {
		return err
	}
	return syncPath(path)
}

func syncPath(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
