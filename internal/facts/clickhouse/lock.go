package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

const (
	lockPrefix = "load_"
	// beatEvery is how often a load says that it is alive, and deadAfter how long
	// one is silent that is taken for dead.
	beatEvery = 5 * time.Second
	deadAfter = 45 * time.Second
	retryLock = 100 * time.Millisecond
)

func (l *Loader) lockTable(version int64) string {
	return l.local(lockPrefix + strconv.FormatInt(version, 10))
}

// takeLock waits until no other load runs, and takes the version that this one
// will publish. It calls waiting once if it has to wait.
func (l *Loader) takeLock(ctx context.Context, waiting func(who string)) error {
	for told := false; ; {
		who, err := l.others(ctx)
		if err != nil {
			return err
		}
		if who == "" {
			if err := l.claim(ctx); err != nil {
				return err
			}
			if l.version > 0 {
				return nil
			}
		} else if !told && waiting != nil {
			told = true
			waiting(who)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retryLock + rand.N(retryLock)): // two that get in each other's way part
		}
	}
}

// claim takes the next version, if nobody else is about to: then both step
// back. A version is taken for good, also if its load dies.
func (l *Loader) claim(ctx context.Context) error {
	first := l.shards[0]
	var version int64
	for _, table := range []string{"publishes", "claims"} {
		n, err := scalar(ctx, first, "select max(version) from "+l.local(table))
		if err != nil {
			return err
		}
		version = max(version, n+1)
	}
	if err := l.beat(ctx, version); err != nil {
		return err
	}
	err := first.exec(ctx, "create table "+l.lockTable(version)+" as "+l.local("publishes")+" engine = MergeTree partition by tuple() order by version")
	if hasCode(err, codeTableExists) {
		return nil
	}
	if err != nil {
		return err
	}
	locks, err := l.locks(ctx)
	if err == nil && len(locks) == 1 && locks[0] == version {
		l.version = version
		return nil
	}
	return errors.Join(err, l.drop(context.WithoutCancel(ctx), version))
}

func (l *Loader) beat(ctx context.Context, version int64) error {
	p := thisProcess()
	return l.shards[0].exec(ctx, fmt.Sprintf("insert into %s (version, host, process, space, started) select toUInt64(%d), %s, toInt64(%d), %s, toInt64(%d)",
		l.local("claims"), version, quote(p.host), p.number, quote(p.space), p.started))
}

func (l *Loader) drop(ctx context.Context, version int64) error {
	return l.shards[0].exec(ctx, "drop table if exists "+l.lockTable(version))
}

// locks lists the versions of the loads that run, or did when they died.
func (l *Loader) locks(ctx context.Context) (versions []int64, err error) {
	err = l.shards[0].query(ctx, "select name from system.tables where database = "+quote(l.config.Database)+" order by name", func(scan facts.Scan) error {
		var name string
		if err := scan(&name); err != nil {
			return err
		}
		if number, ok := strings.CutPrefix(name, lockPrefix); ok {
			if version, err := strconv.ParseInt(number, 10, 64); err == nil {
				versions = append(versions, version)
			}
		}
		return nil
	})
	return versions, err
}

// others says who else loads, if anybody does. A load that died is fenced off:
// without its table it can never publish.
func (l *Loader) others(ctx context.Context) (who string, err error) {
	locks, err := l.locks(ctx)
	if err != nil {
		return "", err
	}
	for _, version := range locks {
		holder, dead, err := l.holder(ctx, version)
		switch {
		case err != nil:
			return "", err
		case !dead:
			return holder.String(), nil
		}
		if err := l.drop(ctx, version); err != nil {
			return "", err
		}
	}
	return "", nil
}

// holder says who holds a version, and whether that load is dead. Two that began at
// the same moment may both have named themselves for it, and one of them has it: it
// is dead when both have ended, or nothing was heard of either.
func (l *Loader) holder(ctx context.Context, version int64) (who process, dead bool, err error) {
	here, ended, silent := thisProcess(), true, int64(math.MaxInt32)
	err = l.shards[0].query(ctx, fmt.Sprintf("select host, process, space, started, toInt64(now()) - toInt64(max(at)) from %s where version = %d group by host, process, space, started",
		l.local("claims"), version), func(scan facts.Scan) error {
		var p process
		var since int64
		err := scan(&p.host, (*facts.Int)(&p.number), &p.space, (*facts.Int)(&p.started), (*facts.Int)(&since))
		if !p.ended(here) {
			who, ended = p, false
		}
		silent = min(silent, since)
		return err
	})
	return who, ended || time.Duration(silent)*time.Second > deadAfter, err
}

// keepAlive says that this load is alive until it ends.
func (l *Loader) keepAlive() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(beatEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				beat, cancel := context.WithTimeout(ctx, beatEvery)
				_ = l.beat(beat, l.version) // if it fails for long, publishing fails
				cancel()
			}
		}
	}()
	l.stopBeats = func() { stop(); <-done }
}
