package duckdb

import (
	"context"
	"iter"
	"maps"
	"slices"

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
	whole   bool            // a digest will do
}

// lookAt sees the totals of a week and kind, and says what is still to be read of it.
type lookAt func(window facts.Stretch, totals []byte) (neededKind, error)

// needed finds out which packed answers a query needs, the newest first.
func (r *textReader) needed(ctx context.Context, q facts.AnswerQuery, look lookAt) (all []neededWeek, err error) {
	for _, f := range slices.Backward(r.files) {
		if f.kind != facts.KindAnswers {
			continue
		}
		weeks := weeksOf(f, q.First, q.Last)
		directories, err := r.directories(ctx, f, weeks)
		if err != nil {
			return nil, err
		}
		for _, week := range slices.Backward(weeks) {
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
		k, err := look(window, kind.Totals)
		if err != nil {
			return err
		}
		w.all += kind.Bytes
		if len(k.windows) > 0 {
			k.number = kind.Number
			w.kinds = append(w.kinds, k)
			w.bytes += kind.Bytes
		}
	}
	return nil
}

// directories reads what is known of weeks. In the first generation that was the
// totals, and nothing told the kinds apart.
func (r *textReader) directories(ctx context.Context, f file, weeks []int64) (map[int64]packed.Directory, error) {
	rows, err := r.texts(ctx, f, layoutOf(f).totals, []string{"totals"}, ofWeeks(weeks), false)
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

// needTexts gets the texts of the kinds that are needed of a batch, or their digests
// where these will do and are at hand.
func (r *textReader) needTexts(ctx context.Context, batch []neededWeek, digest string, columns ...string) (map[textOf][]textRow, error) {
	f := batch[0].file
	digests, wanted := make(map[textOf][]textRow), make(map[textOf]bool)
	kinds := make(map[int64]bool)
	bytes, all := 0, 0
	for _, w := range batch {
		bytes, all = bytes+w.bytes, all+w.all
		for _, k := range w.kinds {
			of := textOf{w.week, k.number}
			if rows, ok := r.digestsAtHand(f, digest, k, of); ok {
				digests[of] = rows
				continue
			}
			wanted[of] = !k.whole
			kinds[k.number] = true
		}
	}
	texts, err := r.texts(ctx, f, layoutOf(f).parts, columns, wanted, bytes+len(kinds)*askBytes >= all)
	if err != nil {
		return nil, err
	}
	maps.Copy(texts, digests)
	return texts, nil
}
