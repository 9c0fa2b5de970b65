package duckdb

import (
	"context"
	"iter"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// neededWeek is the packed answers of a week that a query needs.
type neededWeek struct {
	file       file
	week       int64
	kinds      []neededKind
	bytes, all int // of what is needed, and of all kinds, about
}

// neededKind is those to prompts of a kind.
type neededKind struct {
	number  int64
	windows []facts.Stretch // of time
}

// lookAt sees the totals of a week and kind, and says what is still to be read of it.
type lookAt func(window facts.Stretch, totals []byte) ([]facts.Stretch, error)

// needed finds out which packed answers a query needs.
func (s *set) needed(ctx context.Context, q facts.AnswerQuery, look lookAt) (all []neededWeek, err error) {
	for _, f := range s.files {
		if f.kind != facts.KindAnswers {
			continue
		}
		weeks := weeksOf(f, q.First, q.Last)
		directories, err := s.directories(ctx, f, q.ProductID, weeks)
		if err != nil {
			return nil, err
		}
		for _, week := range weeks {
			w := neededWeek{file: f, week: week}
			window := facts.Stretch{First: max(q.First, week), Last: min(q.Last, week+facts.WeekSeconds-1)}
			if err := w.need(directories[week], window, look); err != nil {
				return nil, err
			}
			if len(w.kinds) > 0 {
				all = append(all, w)
			}
		}
	}
	return all, nil
}

func (w *neededWeek) need(d packed.Directory, window facts.Stretch, look lookAt) error {
	w.bytes = d.SourceBytes
	for _, kind := range d.Kinds {
		windows, err := look(window, kind.Totals)
		if err != nil {
			return err
		}
		w.all += kind.Bytes
		if len(windows) > 0 {
			w.kinds = append(w.kinds, neededKind{kind.Number, windows})
			w.bytes += kind.Bytes
		}
	}
	return nil
}

// directories reads what is known of weeks. In the first generation that was the
// totals, and nothing told the kinds apart.
func (s *set) directories(ctx context.Context, f file, product int64, weeks []int64) (map[int64]packed.Directory, error) {
	of := make([]textOf, len(weeks))
	for i, week := range weeks {
		of[i].week = week
	}
	rows, err := s.texts(ctx, f, layoutOf(f).totals, []string{"totals"}, product, of, false)
	if err != nil {
		return nil, err
	}
	all := make(map[int64]packed.Directory, len(weeks))
	for of, rows := range rows {
		for _, row := range rows {
			d := packed.Directory{Kinds: []packed.Kind{{Bytes: batchBytes / 4, Totals: row.texts[0]}}}
			if !layoutOf(f).mixed {
				if d, err = packed.ReadDirectory(row.texts[0]); err != nil {
					return nil, err
				}
			}
			all[of.week] = d
		}
	}
	return all, nil
}

// batchBytes is about how much of packed answers is read at once. The engine
// makes copies of what it gives; more at once would take more memory.
const batchBytes = 8 << 20

// batches are weeks of the same file, as many as may be read at once.
func batches(weeks []neededWeek) iter.Seq[[]neededWeek] {
	return func(yield func([]neededWeek) bool) {
		for len(weeks) > 0 {
			n, bytes := 1, weeks[0].bytes
			for n < len(weeks) && weeks[n].file.name == weeks[0].file.name && bytes+weeks[n].bytes <= batchBytes {
				bytes += weeks[n].bytes
				n++
			}
			if !yield(weeks[:n]) {
				return
			}
			weeks = weeks[n:]
		}
	}
}

// askBytes is how much the engine reads in the time that it takes to ask for one kind.
const askBytes = 256 << 10

// needTexts gets the texts of the kinds that are needed of a batch.
func (s *set) needTexts(ctx context.Context, product int64, batch []neededWeek, columns ...string) (map[textOf][]textRow, error) {
	var of []textOf
	kinds := make(map[int64]bool)
	bytes, all := 0, 0
	for _, w := range batch {
		bytes, all = bytes+w.bytes, all+w.all
		for _, k := range w.kinds {
			of = append(of, textOf{w.week, k.number})
			kinds[k.number] = true
		}
	}
	f := batch[0].file
	return s.texts(ctx, f, layoutOf(f).parts, columns, product, of, bytes+len(kinds)*askBytes >= all)
}
