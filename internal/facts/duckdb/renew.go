package duckdb

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Renewed is what was written anew.
type Renewed struct {
	Files int   // of all kinds
	Bytes int64 // of the new ones
}

// Renew writes the files of earlier generations anew, so that all has been counted
// that is counted now: reports say the same, and sooner. It publishes a few files
// at a time, so that a crash loses little. The earlier ones stay for their grace
// period, so there must be room for both.
func (l *Loader) Renew(ctx context.Context, progress func(done, all int)) (done Renewed, err error) {
	_, files, err := l.manifest.current(ctx)
	if err != nil {
		return done, err
	}
	old := outdated(files)
	told := counted(len(old), progress)
	for _, kind := range []facts.Kind{facts.KindAnswers, facts.KindVisits} {
		of := slices.DeleteFunc(slices.Clone(old), func(f file) bool { return f.kind != kind })
		for some := range slices.Chunk(of, runtime.GOMAXPROCS(0)) {
			added, err := l.renew(ctx, kind, some, told)
			if err != nil {
				return done, err
			}
			done.Files += len(added)
			for _, f := range added {
				done.Bytes += f.bytes
			}
		}
	}
	return done, nil
}

// Outdated counts the files of earlier generations. Like ReadStatus it only reads.
func Outdated(ctx context.Context, dir string) (n int, err error) {
	err = reading(ctx, dir, func(m *manifest) error {
		_, files, err := m.current(ctx)
		n = len(outdated(files))
		return err
	})
	return n, err
}

func outdated(files []file) []file {
	return slices.DeleteFunc(files, func(f file) bool { return f.tables >= tablesNow })
}

// renew writes some files anew and publishes them.
func (l *Loader) renew(ctx context.Context, kind facts.Kind, old []file, told func(*stage)) ([]file, error) {
	version, err := l.manifest.version(ctx)
	if err != nil {
		return nil, err
	}
	var spans []span
	for _, f := range old {
		spans = append(spans, span{f.firstWeek, f.lastWeek, []file{f}})
	}
	c := change{remove: old}
	if err := l.rewrite(ctx, kind, spans, version+1, &c, told); err != nil {
		return nil, err
	}
	if len(c.add) != len(old) {
		return nil, errors.New("a file has no rows: run 'sightline verify'")
	}
	_, err = l.manifest.publish(ctx, c)
	return c.add, err
}
