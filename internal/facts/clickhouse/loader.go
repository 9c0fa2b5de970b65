package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sightline-hq/sightline/internal/facts"
)

// grace is how long an edition that is no longer current stays, for answers
// that are being read from it.
const grace = 5 * time.Minute

// Loader publishes facts. It implements facts.Loader.
type Loader struct {
	*base
	servers   cluster
	shards    []server // the first replica of each; the first has the manifest
	rows      inserter
	version   int64 // that is published next; each is used once
	stopBeats func()
	closeRows func()
}

// OpenLoader implements facts.Store: it takes the lock, and removes what loads
// that died and earlier publishes left behind.
func (s Store) OpenLoader(ctx context.Context, waiting func(who string)) (facts.Loader, error) {
	b, err := s.open()
	if err != nil {
		return nil, err
	}
	l := &Loader{base: b}
	if err := l.open(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if err := l.begin(ctx, waiting); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func (l *Loader) open(ctx context.Context) (err error) {
	if l.servers, err = l.base.servers(ctx); err != nil {
		return err
	}
	l.shards = l.servers.firsts()
	for _, s := range slices.Concat(l.servers...) {
		if err := l.checkSchema(ctx, s); err != nil {
			return fmt.Errorf("%w (server %s)", err, s)
		}
	}
	first, ok := l.shards[0].(*native)
	if !ok {
		l.rows = l.shards[0].(embedded)
		return nil
	}
	optional, err := first.optional(ctx)
	if err != nil {
		return err
	}
	w := newWeb(l.config, optional)
	l.rows, l.closeRows = w, w.close
	return w.reach(ctx)
}

// checkShards refuses to load onto another number of shards than before: the
// server would look for a website's visits where they are not.
func (l *Loader) checkShards(ctx context.Context) error {
	before, err := scalar(ctx, l.shards[0], "select max(shards) from "+l.local("publishes"))
	if err == nil && before > 0 && before != int64(len(l.shards)) {
		err = fmt.Errorf("the facts were loaded onto %d shards, the cluster %s has %d: copy them into a new database to spread them anew",
			before, l.config.Cluster, len(l.shards))
	}
	return err
}

// Close implements facts.Loader.
func (l *Loader) Close() error {
	l.release(context.Background())
	if l.closeRows != nil {
		l.closeRows()
	}
	return errors.Join(l.servers.close(), l.base.close())
}

// Inputs implements facts.Loader.
func (l *Loader) Inputs(ctx context.Context, kind facts.Kind) ([]facts.Input, error) {
	return l.inputs(ctx, l.shards[0], kind)
}

// Newest implements facts.Loader.
func (l *Loader) Newest(ctx context.Context, kind facts.Kind) (newest int64, err error) {
	s, err := l.current(ctx, l.shards[0])
	if err != nil {
		return 0, err
	}
	for _, e := range s.editions {
		if e.kind == kind {
			newest = max(newest, e.newest)
		}
	}
	return newest, nil
}

// onEach runs a statement on every shard at once.
func (l *Loader) onEach(ctx context.Context, statement string) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, s := range l.shards {
		group.Go(func() error { return s.exec(ctx, statement) })
	}
	return group.Wait()
}

// mergeParts has the servers put the parts of each edition of this version together
// that inserts have made: reports take time for each. A server that does not, because
// it is about to do so by itself or does not lead its replicas, is slower, not wrong.
func (l *Loader) mergeParts(ctx context.Context) {
	var group errgroup.Group
	for _, shard := range l.shards {
		group.Go(func() error {
			var merges []string
			err := shard.query(ctx, fmt.Sprintf("select table, partition_id from system.parts where database = %s and active = 1 and table in ('%s') group by table, partition_id having count() > 1",
				quote(l.config.Database), strings.Join(editionTables, "', '")), func(scan facts.Scan) error {
				var table, partition string
				err := scan(&table, &partition)
				if _, version, ok := parsePartition(partition); ok && version == l.version {
					merges = append(merges, fmt.Sprintf("optimize table %s partition id '%s' final", l.local(table), partition))
				}
				return err
			})
			for _, merge := range merges {
				err = errors.Join(err, shard.exec(ctx, merge))
			}
			return err
		})
	}
	_ = group.Wait()
}

// commit publishes a change: attaching the one
// row in this load's own table is the moment at which all of it becomes visible.
func (l *Loader) commit(ctx context.Context, c change) (version int64, err error) {
	l.mergeParts(ctx)
	if err := l.note(ctx, c); err != nil {
		return 0, err
	}
	if err := l.settle(ctx, "editions", "inputs"); err != nil {
		return 0, err
	}
	ctx = context.WithoutCancel(ctx) // from here on, it is done or it is not
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	first := l.shards[0]
	version = l.version
	err = first.exec(ctx, fmt.Sprintf("insert into %s (version, next_answer_key, shards) select toUInt64(%d), toInt64(%d), toUInt32(%d)",
		l.lockTable(version), version, c.nextAnswerKey, len(l.shards)))
	if err == nil {
		err = first.exec(ctx, "alter table "+l.local("publishes")+" attach partition tuple() from "+l.lockTable(version))
	}
	published, err2 := scalar(ctx, first, fmt.Sprintf("select count() from %s where version = %d", l.local("publishes"), version))
	switch {
	case err2 != nil:
		return 0, fmt.Errorf("whether version %d was published is not known: load the same files again, which finds out: %w", version, errors.Join(err, err2))
	case published == 0 && err == nil || hasCode(err, codeUnknownTable):
		return 0, errors.New("another load took this one for dead, because it was silent for too long: load again")
	case published == 0:
		return 0, err
	}
	l.release(ctx)
	_ = l.settle(ctx, "publishes") // so that all servers see it now, and not in a moment
	return version, nil
}

// settle waits until every replica has all that was written to some tables.
func (l *Loader) settle(ctx context.Context, tables ...string) error {
	return l.servers.settle(ctx, l.local, tables...)
}

// begin makes sure that the lock is held, with a version that nothing was
// written for, and tidies up.
func (l *Loader) begin(ctx context.Context, waiting func(who string)) error {
	if l.version > 0 {
		return nil
	}
	if err := l.takeLock(ctx, waiting); err != nil {
		return err
	}
	l.keepAlive()
	if err := l.checkShards(ctx); err != nil {
		return err
	}
	return l.sweep(ctx)
}

// release lets go of the lock and its version. A lock that cannot be dropped is
// taken for dead by the next load.
func (l *Loader) release(ctx context.Context) {
	if l.version == 0 {
		return
	}
	l.stopBeats()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTime)
	defer cancel()
	_ = l.drop(ctx, l.version)
	l.version = 0
}

// editionTables have partitions of a week and a version, or, like those of totals and
// stagedTables, of a version.
var (
	editionTables = append([]string{"visits", "answers", "mentions", "citations"}, totalsNames()...)
	stagedTables  = []string{"staged_visits", "staged_answers", "staged_mentions", "staged_citations"}
)

// sweep drops editions that no version within the grace period has, of earlier
// versions than this load's: those can never come to be current (again).
func (l *Loader) sweep(ctx context.Context) error {
	_, err := l.sweepAfter(ctx, grace)
	return err
}

// Sweep implements facts.Loader.
func (l *Loader) Sweep(ctx context.Context) (removed int, err error) {
	if err := l.begin(ctx, nil); err != nil {
		return 0, err
	}
	return l.sweepAfter(ctx, -time.Second) // those of this second, too
}

func (l *Loader) sweepAfter(ctx context.Context, grace time.Duration) (removed int, err error) {
	keep, err := l.kept(ctx, grace)
	if err != nil {
		return 0, err
	}
	for i, shard := range l.shards {
		var drops [][2]string // table and partition
		err := shard.query(ctx, fmt.Sprintf("select distinct table, partition_id from system.parts where database = %s and active = 1 and (table in ('%s') or table in ('%s'))",
			quote(l.config.Database), strings.Join(editionTables, "', '"), strings.Join(stagedTables, "', '")), func(scan facts.Scan) error {
			var table, partition string
			if err := scan(&table, &partition); err != nil {
				return err
			}
			week, version, ok := parsePartition(partition)
			if ok && version < l.version && !keep[table][edition{week: week, version: version}] {
				drops = append(drops, [2]string{table, "id '" + partition + "'"})
			}
			return nil
		})
		if err != nil {
			return removed, err
		}
		for _, drop := range drops {
			if err := l.dropPartition(ctx, i, drop[0], drop[1]); err != nil {
				return removed, err
			}
			removed++
		}
	}
	return removed, nil
}

// parsePartition reads the name that ClickHouse gives to a partition: "week-version"
// or "version".
func parsePartition(id string) (week, version int64, ok bool) {
	before, after, both := strings.Cut(id, "-")
	if !both {
		before, after = "0", id
	}
	week, err := strconv.ParseInt(before, 10, 64)
	version, err2 := strconv.ParseInt(after, 10, 64)
	return week, version, err == nil && err2 == nil
}

// kept is the editions, by table, that are current or were so within the grace
// period.
func (l *Loader) kept(ctx context.Context, grace time.Duration) (map[string]map[edition]bool, error) {
	byKind := make(map[facts.Kind]map[edition]bool)
	for _, t := range editionTables {
		byKind[kindOf(facts.Table(t))] = make(map[edition]bool)
	}
	err := l.shards[0].query(ctx, fmt.Sprintf(`select kind, week, edition from %[1]s
where version in (select version from %[2]s)
group by kind, week, edition
having sumIf(sign, sign = 1 or version not in (select version from %[2]s where at >= now() - (%[3]d))) > 0`,
		l.local("editions"), l.local("publishes"), int(grace.Seconds())), func(scan facts.Scan) error {
		var kind string
		var e edition
		err := scan(&kind, (*facts.Int)(&e.week), (*facts.Int)(&e.version))
		if byKind[facts.Kind(kind)] == nil {
			return fmt.Errorf("the manifest has an unknown kind %q", kind)
		}
		if totalsOf(facts.Kind(kind)) != nil {
			e.week = 0 // as in the name of its partition
		}
		byKind[facts.Kind(kind)][e] = true
		return err
	})
	tables := make(map[string]map[edition]bool)
	for _, t := range editionTables {
		tables[t] = byKind[kindOf(facts.Table(t))]
	}
	return tables, err
}
