package clickhouse

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// weeks adds up the editions of each kind and week. Tables of totals belong to visits.
func (s *state) weeks() (all []facts.Weeks) {
	for _, e := range s.editions { // by kind and week
		if totalsOf(e.kind) != nil {
			continue
		}
		if n := len(all); n == 0 || all[n-1].Kind != e.kind || all[n-1].First != e.week {
			all = append(all, facts.Weeks{Kind: e.kind, First: e.week, Last: e.week})
		}
		w := &all[len(all)-1]
		w.Files++
		w.Rows += e.rows
		w.Newest = max(w.Newest, e.newest)
	}
	return all
}

// sizes are bytes on the disks, by edition: kind, week and version.
type sizes map[edition]int64

// sizes adds up the partitions of all shards.
func (b *base) sizes(ctx context.Context, shards []server) (sizes, error) {
	all := make(sizes)
	for _, shard := range shards {
		err := shard.query(ctx, fmt.Sprintf("select table, partition_id, sum(bytes_on_disk) from system.parts where database = %s and active = 1 and table in ('%s') group by table, partition_id",
			quote(b.config.Database), strings.Join(editionTables, "', '")), func(scan facts.Scan) error {
			var table, partition string
			var bytes facts.Int
			if err := scan(&table, &partition, &bytes); err != nil {
				return err
			}
			if week, version, ok := parsePartition(partition); ok {
				all[edition{kind: kindOf(facts.Table(table)), week: week, version: version}] += int64(bytes)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// totals shares the bytes of a version's tables of totals out among its weeks.
func (s sizes) totals(now *state) map[int64]int64 {
	weeks, byWeek := make(map[edition]int64), make(map[int64]int64)
	for _, e := range now.editions {
		if totalsOf(e.kind) != nil {
			weeks[edition{kind: e.kind, version: e.version}]++
		}
	}
	for _, e := range now.editions {
		if key := (edition{kind: e.kind, version: e.version}); weeks[key] > 0 {
			byWeek[e.week] += s[key] / weeks[key]
		}
	}
	for key := range weeks {
		delete(s, key)
	}
	return byWeek
}

// take adds up some editions, and leaves the others.
func (s sizes) take(editions []edition) (bytes int64) {
	for _, e := range editions {
		key := edition{kind: e.kind, week: e.week, version: e.version}
		bytes += s[key]
		delete(s, key)
	}
	return bytes
}

// takeWeeks writes down the bytes of weeks, with their part of the totals.
func (s sizes) takeWeeks(weeks []facts.Weeks, now *state) {
	totals := s.totals(now)
	for i := range weeks {
		w := &weeks[i]
		w.Bytes = s.take(now.of(w.Kind, w.First, w.First))
		if w.Kind == facts.KindVisits {
			w.Bytes += totals[w.First]
		}
	}
}

// Status implements facts.Store.
func (s Store) Status(ctx context.Context) (status facts.Status, err error) {
	err = s.reading(ctx, func(b *base, shards []server) error {
		now, err := b.current(ctx, b)
		if err != nil {
			return err
		}
		sizes, err := b.sizes(ctx, shards)
		if err != nil {
			return err
		}
		status.Version, status.Weeks = now.version, now.weeks()
		sizes.takeWeeks(status.Weeks, now)
		for _, bytes := range sizes { // what is left is not current
			status.Replaced.Files++
			status.Replaced.Bytes += bytes
		}
		return b.loads(ctx, &status)
	})
	return status, err
}

// loads reads what was loaded last.
func (b *base) loads(ctx context.Context, status *facts.Status) error {
	times, err := b.publishTimes(ctx, b)
	if err != nil {
		return err
	}
	if r := &status.Replaced; r.Files > 0 {
		r.Free = time.Now().UTC() // what nobody has published, nobody reads
		if at, ok := times[status.Version]; ok {
			r.Free = at.Add(grace).UTC()
		}
		if !r.Free.After(time.Now()) {
			r.DueFiles, r.DueBytes = r.Files, r.Bytes
		}
	}
	return b.query(ctx, fmt.Sprintf("select version, kind, name, bytes, lines from %s order by version desc, place desc", b.all("inputs")),
		func(scan facts.Scan) error {
			var l facts.Loaded
			var kind string
			if err := scan((*facts.Int)(&l.Version), &kind, &l.Name, (*facts.Int)(&l.Bytes), (*facts.Int)(&l.Lines)); err != nil {
				return err
			}
			at, published := times[l.Version]
			if !published {
				return nil
			}
			status.Inputs++
			l.Kind, l.At = facts.Kind(kind), at.UTC().Truncate(time.Second)
			if len(status.Latest) < facts.LatestInputs {
				status.Latest = append(status.Latest, l)
			}
			return nil
		})
}
