package duckdb

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Publish implements facts.Load: it rewrites the spans that the load touches
// into new files and puts all of them into the manifest at once.
func (s *stage) Publish(ctx context.Context, inputs []facts.Input) (facts.Published, error) {
	var done facts.Published
	if err := s.flush(); err != nil {
		return done, fmt.Errorf("cannot hold the load: %w", advise(err))
	}
	s.forget()
	if err := s.pickLatest(ctx); err != nil {
		return done, err
	}
	version, files, err := s.loader.manifest.current(ctx)
	if err != nil {
		return done, err
	}
	spans, err := s.spans(ctx, files)
	if err != nil {
		return done, err
	}
	c := change{inputs: inputs, nextAnswerKey: s.firstKey + s.seq}
	built, err := s.buildAll(ctx, spans, version+1)
	if err != nil {
		return done, err
	}
	for i, sp := range spans {
		f := built[i]
		if f.rows > 0 {
			c.add = append(c.add, f)
		}
		done.Replaced -= f.rows
		for _, old := range sp.olds {
			c.remove = append(c.remove, old)
			done.Replaced += old.rows
		}
		done.Weeks = append(done.Weeks, slices.Sorted(maps.Keys(s.builds[i].dirty))...)
	}
	if err := s.install(c.add); err != nil {
		return done, err
	}
	done.Rows = s.seq - s.idRows + s.ids
	done.Replaced += done.Rows
	done.Version, err = s.loader.manifest.publish(ctx, c)
	return done, err
}

// advise says what to do about a disk that is full.
func advise(err error) error {
	if text := strings.ToLower(err.Error()); strings.Contains(text, "no space left") || strings.Contains(text, "disk full") {
		return fmt.Errorf("the disk is full: make room and try again (%w)", err)
	}
	return err
}

// pickLatest notes which of the staged rows with the same id counts: the last.
func (s *stage) pickLatest(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, fmt.Sprintf("create table stage.staged_ids as select id, max(seq) as seq from stage.%s group by id", s.idTable()))
	if err != nil {
		return err
	}
	if err := s.scalar(ctx, "select count(*) from stage.staged_ids", &s.ids); err != nil || s.kind != facts.KindAnswers || s.ids == s.idRows {
		return err
	}
	_, err = s.db.ExecContext(ctx, `create table stage.stale as
		select answer_key from stage.answers join stage.staged_ids latest using (id) where answers.seq <> latest.seq`)
	return err
}

// spans finds what has to be written: every week with staged rows, every file
// with a row that a staged one replaces, and weeks to be merged.
func (s *stage) spans(ctx context.Context, files []file) ([]span, error) {
	var err error
	if s.staged, err = s.weeks(ctx); err != nil {
		return nil, err
	}
	covered := make(map[int64]bool)
	var units []unit
	var newest int64
	for _, f := range files {
		if f.kind != s.kind {
			continue
		}
		u := unit{span: span{f.firstWeek, f.lastWeek, []file{f}}}
		newest = max(newest, f.lastWeek)
		for _, week := range s.staged {
			if f.overlaps(week, week) {
				covered[week], u.touched = true, true
			}
		}
		if !u.touched {
			if u.touched, err = s.replacesIn(ctx, &f); err != nil {
				return nil, err
			}
		}
		units = append(units, u)
	}
	for _, week := range s.staged {
		newest = max(newest, week)
		if !covered[week] {
			units = append(units, unit{span{week, week, nil}, true})
		}
	}
	return s.loader.Merging.spans(units, min(newest, facts.Week(s.loader.manifest.now().Unix()))), nil
}

// weeks lists the weeks with staged rows.
func (s *stage) weeks(ctx context.Context) (weeks []int64, err error) {
	if s.kind == facts.KindVisits {
		return s.visits.inOrder(), nil
	}
	query := fmt.Sprintf("select distinct ts - (ts + %d) %% %d from stage.answers", 3*facts.DaySeconds, facts.WeekSeconds)
	if s.ids < s.idRows {
		query += " where answer_key not in (select answer_key from stage.stale)"
	}
	err = s.each(ctx, query+" order by 1", func(scan facts.Scan) error {
		var week int64
		err := scan(&week)
		weeks = append(weeks, week)
		return err
	})
	return weeks, err
}

// replacesIn says whether a staged id is in a published file.
func (s *stage) replacesIn(ctx context.Context, f *file) (bool, error) {
	if s.ids == 0 || f.ids == 0 {
		return false, nil
	}
	var found int64
	detach, err := s.attachOld(ctx, f, "old")
	if err != nil {
		return false, err
	}
	defer detach()
	err = s.scalar(ctx, fmt.Sprintf("select count(*) from old.%s join stage.staged_ids using (id)", s.kind), &found)
	return found > 0, err
}

func (s *stage) attachOld(ctx context.Context, f *file, name string) (detach func(), err error) {
	path := filepath.Join(s.loader.dir, f.name)
	if _, err := s.db.ExecContext(ctx, "attach "+quote(path)+" as "+name+" (read_only)"); err != nil {
		return nil, unreadable(path, err)
	}
	detach = func() { s.db.ExecContext(context.WithoutCancel(ctx), "detach "+name) }
	if err := f.itself(ctx, s.db, s.loader.dir, name); err != nil {
		detach()
		return nil, err
	}
	return detach, nil
}

// install moves finished files into place and makes that durable. They are
// not part of anything until the manifest says so.
func (s *stage) install(files []file) error {
	for _, f := range files {
		if err := os.Rename(filepath.Join(s.dir, f.name), filepath.Join(s.loader.dir, f.name)); err != nil {
			return err
		}
	}
	return syncPath(s.loader.dir)
}

func (s *stage) each(ctx context.Context, query string, row func(scan facts.Scan) error) error {
	rows, err := s.db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	return facts.Drain(rows, row)
}

func (s *stage) scalar(ctx context.Context, query string, into *int64) error {
	var n facts.Int
	err := s.db.QueryRowContext(ctx, query).Scan(&n)
	*into = int64(n)
	return err
}

// weekName names a week by its Monday.
func weekName(week int64) string {
	return time.Unix(week, 0).UTC().Format("20060102")
}
