package clickhouse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// kindOf says which editions a table has.
func kindOf(t facts.Table) facts.Kind {
	if t == facts.Visits {
		return facts.KindVisits
	}
	if totals := totalsOf(facts.Kind(t)); totals != nil {
		return totals.kind()
	}
	return facts.KindAnswers
}

// edition is what one publish has written for a week.
type edition struct {
	kind    facts.Kind
	week    int64 // its start
	version int64
	rows    int64
	ids     int64 // rows with an id
	newest  int64 // second of the newest row
}

// state is the facts at one version.
type state struct {
	version  int64
	editions []edition // that are current, by kind, week and version
	replaced []edition // that were, and may still be there
	dead     []int64   // versions that were never published, ascending
}

// of lists the editions of a kind that may have rows between two seconds.
func (s *state) of(kind facts.Kind, first, last int64) []edition {
	return touching(s.editions, kind, first, last)
}

func touching(editions []edition, kind facts.Kind, first, last int64) (found []edition) {
	for _, e := range editions {
		if e.kind == kind && e.week <= last && first < e.week+facts.WeekSeconds {
			found = append(found, e)
		}
	}
	return found
}

// lacking lists the weeks between two seconds that have visits, and no edition of a
// kind of totals.
func (s *state) lacking(kind facts.Kind, first, last int64) (weeks []int64) {
	have := make(map[int64]bool)
	for _, e := range s.of(kind, first, last) {
		have[e.week] = true
	}
	for _, e := range s.of(facts.KindVisits, first, last) { // by week
		if !have[e.week] {
			have[e.week] = true
			weeks = append(weeks, e.week)
		}
	}
	return weeks
}

// newest is the version of the last publish; 0: there is none.
func (b *base) newest(ctx context.Context, on querier) (int64, error) {
	return scalar(ctx, on, "select max(version) from "+b.all("publishes"))
}

// errEarly says that a replica does not know of a version yet.
var errEarly = errors.New("not all replicas know of the newest version yet: try again")

// stateAt reads the facts of a version. Replicas may have heard of it or not yet,
// so what was published is read once, and all else is held to that.
func (b *base) stateAt(ctx context.Context, on querier, version int64) (*state, error) {
	published, err := b.publishTimes(ctx, on)
	if err != nil {
		return nil, err
	}
	if _, ok := published[version]; !ok && version > 0 {
		return nil, errEarly
	}
	s := &state{version: version}
	for v := int64(1); v < version; v++ {
		if _, ok := published[v]; !ok {
			s.dead = append(s.dead, v)
		}
	}
	all, err := b.noted(ctx, on, version, published)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if e.sign > 0 {
			s.editions = append(s.editions, e.edition)
		} else {
			s.replaced = append(s.replaced, e.edition)
		}
	}
	return s, nil
}

// noted is an edition, and whether it is current (1) or not any more (0).
type noted struct {
	edition
	sign int64
}

// noted lists the editions of published versions, by kind, week and version.
func (b *base) noted(ctx context.Context, on querier, until int64, published map[int64]time.Time) ([]*noted, error) {
	type key struct {
		kind          string
		week, version int64
	}
	all := make(map[key]*noted)
	err := on.query(ctx, fmt.Sprintf("select version, kind, week, edition, sign, rows, ids, newest from %s where version <= %d", b.all("editions"), until), func(scan facts.Scan) error {
		var by, sign int64
		var e edition
		var kind string
		err := scan((*facts.Int)(&by), &kind, (*facts.Int)(&e.week), (*facts.Int)(&e.version), (*facts.Int)(&sign),
			(*facts.Int)(&e.rows), (*facts.Int)(&e.ids), (*facts.Int)(&e.newest))
		if _, ok := published[by]; !ok || err != nil {
			return err
		}
		e.kind = facts.Kind(kind)
		k := key{kind, e.week, e.version}
		if all[k] == nil {
			all[k] = &noted{}
		}
		all[k].sign += sign
		if sign > 0 {
			all[k].edition = e
		}
		return nil
	})
	return slices.SortedFunc(maps.Values(all), func(a, b *noted) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.week, b.week), cmp.Compare(a.version, b.version))
	}), err
}

// current reads the newest state.
func (b *base) current(ctx context.Context, on querier) (*state, error) {
	version, err := b.newest(ctx, on)
	if err != nil {
		return nil, err
	}
	return b.stateAt(ctx, on, version)
}

// inputs lists what was loaded of a kind.
func (b *base) inputs(ctx context.Context, on querier, kind facts.Kind) (inputs []facts.Input, err error) {
	times, err := b.publishTimes(ctx, on)
	if err != nil {
		return nil, err
	}
	err = on.query(ctx, fmt.Sprintf(`select version, kind, sha256, name, bytes, lines, marks from %s
where kind = %s order by version, place`, b.all("inputs"), quote(string(kind))), func(scan facts.Scan) error {
		var in facts.Input
		var version int64
		var kind, marks string
		if err := scan((*facts.Int)(&version), &kind, &in.SHA256, &in.Name, (*facts.Int)(&in.Bytes), (*facts.Int)(&in.Lines), &marks); err != nil {
			return err
		}
		at, published := times[version]
		if !published {
			return nil
		}
		in.Kind, in.At = facts.Kind(kind), at
		if err := json.Unmarshal([]byte(marks), &in.Marks); err != nil {
			return fmt.Errorf("the marks of input %q cannot be read: %w", in.Name, err)
		}
		inputs = append(inputs, in)
		return nil
	})
	return inputs, err
}

// publishTimes is when each version was published.
func (b *base) publishTimes(ctx context.Context, on querier) (map[int64]time.Time, error) {
	times := make(map[int64]time.Time)
	err := on.query(ctx, "select version, toUInt32(at) from "+b.all("publishes"), func(scan facts.Scan) error {
		var version, at facts.Int
		err := scan(&version, &at)
		times[int64(version)] = time.Unix(int64(at), 0)
		return err
	})
	return times, err
}

// change is what a publish does to the manifest.
type change struct {
	add, remove   []edition
	inputs        []facts.Input
	nextAnswerKey int64
}

// rowsPerInsert keeps statements short: they are written out, because the
// manifest's server is spoken to by its native protocol alone.
const rowsPerInsert = 50

// note writes a change down. It counts once the version is published.
func (l *Loader) note(ctx context.Context, c change) error {
	var rows [][]string
	for _, part := range []struct {
		sign     string
		editions []edition
	}{{"toInt8(1)", c.add}, {"toInt8(-1)", c.remove}} {
		for _, e := range part.editions {
			rows = append(rows, []string{unsigned(l.version), quote(string(e.kind)), signed(e.week), unsigned(e.version), part.sign,
				unsigned(e.rows), unsigned(e.ids), signed(e.newest)})
		}
	}
	if err := l.write(ctx, "editions", []string{"version", "kind", "week", "edition", "sign", "rows", "ids", "newest"}, rows); err != nil {
		return err
	}
	rows = nil
	for i, in := range c.inputs {
		marks, err := json.Marshal(in.Marks)
		if err != nil {
			return err
		}
		rows = append(rows, []string{unsigned(l.version), quote(string(in.Kind)), quote(in.SHA256), quote(in.Name), signed(in.Bytes),
			signed(in.Lines), "toUInt32(" + strconv.Itoa(i) + ")", quote(string(marks))})
	}
	return l.write(ctx, "inputs", []string{"version", "kind", "sha256", "name", "bytes", "lines", "place", "marks"}, rows)
}

func signed(n int64) string   { return "toInt64(" + strconv.FormatInt(n, 10) + ")" }
func unsigned(n int64) string { return "toUInt64(" + strconv.FormatInt(n, 10) + ")" }

// write adds rows to a table of the manifest.
func (l *Loader) write(ctx context.Context, table string, columns []string, rows [][]string) error {
	for chunk := range slices.Chunk(rows, rowsPerInsert) {
		var selects []string
		for _, row := range chunk {
			for i := range row {
				row[i] += " as c" + strconv.Itoa(i)
			}
			selects = append(selects, "select "+strings.Join(row, ", "))
		}
		statement := fmt.Sprintf("insert into %s (%s) select * from (%s)", l.local(table), strings.Join(columns, ", "), strings.Join(selects, " union all "))
		if err := l.shards[0].exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
