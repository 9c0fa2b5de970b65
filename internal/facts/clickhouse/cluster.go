package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sightline-hq/sightline/internal/facts"
)

// cluster is the servers of a cluster: by shard, its replicas. The first replica
// of the first shard has the lock of loads. Without a cluster, the one server is
// the only shard.
type cluster [][]server

// firsts are the first replica of each shard.
func (c cluster) firsts() (all []server) {
	for _, shard := range c {
		all = append(all, shard[0])
	}
	return all
}

// replicated says whether shards have replicas.
func (c cluster) replicated() bool { return len(slices.Concat(c...)) > len(c) }

func (c cluster) close() error { return closeAll(slices.Concat(c...)) }

func closeAll(servers []server) (err error) {
	for _, s := range servers {
		err = errors.Join(err, s.close())
	}
	return err
}

// settle waits until every replica has all that was written to some tables.
func (c cluster) settle(ctx context.Context, local func(string) string, tables ...string) error {
	if !c.replicated() {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, s := range slices.Concat(c...) {
		group.Go(func() error {
			for _, table := range tables {
				if err := s.exec(ctx, "system sync replica "+local(table)); err != nil {
					return fmt.Errorf("a replica cannot keep up: %w", err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// dropPartition drops a partition on a shard. Of replicas, servers of 2018 let the
// leader alone do it, and ask it without a password; of today's, each may.
func (l *Loader) dropPartition(ctx context.Context, shard int, table, partition string) error {
	replicas, statement := l.servers[shard], "alter table "+l.local(table)+" drop partition "+partition
	if len(replicas) == 1 {
		return replicas[0].exec(ctx, statement)
	}
	for started := time.Now(); time.Since(started) < replicaTime; time.Sleep(replicaPause) {
		for _, s := range replicas {
			leads, err := scalar(ctx, s, fmt.Sprintf("select max(is_leader) from system.replicas where database = %s and table = %s", quote(l.config.Database), quote(table)))
			if err != nil {
				return err
			}
			if leads > 0 {
				return s.exec(ctx, statement)
			}
		}
	}
	return fmt.Errorf("no replica of %s leads the others: is ZooKeeper well?", l.local(table))
}

// servers connects to all servers of the cluster. Each must answer.
func (b *base) servers(ctx context.Context) (cluster, error) {
	c, err := b.dial(ctx)
	if err != nil {
		return nil, err
	}
	for i, shard := range c {
		for _, s := range shard {
			if _, err := scalar(ctx, s, "select 1"); err != nil {
				return nil, errors.Join(b.down(i, len(c), len(shard) > 1, err), c.close())
			}
		}
	}
	return c, nil
}

// shards connects to one server of each shard, the first replica that answers.
func (b *base) shards(ctx context.Context) (all []server, err error) {
	c, err := b.dial(ctx)
	if err != nil {
		return nil, err
	}
	var spare []server
	for i, shard := range c {
		answers := slices.IndexFunc(shard, func(s server) bool {
			_, err = scalar(ctx, s, "select 1")
			return err == nil
		})
		if answers < 0 {
			return nil, errors.Join(b.down(i, len(c), false, err), c.close())
		}
		all = append(all, shard[answers])
		spare = append(spare, slices.Delete(slices.Clone(shard), answers, answers+1)...)
	}
	return all, closeAll(spare)
}

// down says which server of a cluster does not answer.
func (b *base) down(shard, shards int, replica bool, err error) error {
	what := fmt.Sprintf("shard %d of %d", shard+1, shards)
	if replica {
		what = "a replica of " + what
	}
	if b.config.Cluster != "" {
		err = fmt.Errorf("%s of the cluster %s is down: start it, then try again: %w", what, b.config.Cluster, err)
	}
	return err
}

// dial prepares the connections to all servers.
func (b *base) dial(ctx context.Context) (c cluster, err error) {
	if b.engine != nil {
		return cluster{b.entries.servers}, nil
	}
	addresses, err := b.addresses(ctx)
	if err != nil {
		return nil, err
	}
	for _, shard := range addresses {
		var replicas []server
		for _, address := range shard {
			s, err := b.config.open(address)
			if err != nil {
				return nil, errors.Join(err, closeAll(replicas), c.close())
			}
			replicas = append(replicas, s)
		}
		c = append(c, replicas)
	}
	return c, nil
}

// addresses are those of the cluster's servers, as its configuration names them.
func (b *base) addresses(ctx context.Context) (shards [][]string, err error) {
	if b.config.Cluster == "" {
		if len(b.config.Addresses) > 1 {
			return nil, errors.New("the URL of the facts names several servers and no cluster: add ?cluster=NAME")
		}
		return [][]string{b.config.Addresses}, nil
	}
	var last facts.Int
	err = b.query(ctx, `select shard_num, host_name, port from system.clusters
		where cluster = `+quote(b.config.Cluster)+` order by shard_num, replica_num`, func(scan facts.Scan) error {
		var shard, port facts.Int
		var host string
		if err := scan(&shard, &host, &port); err != nil {
			return err
		}
		if shard != last {
			shards = append(shards, nil)
		}
		last = shard
		replicas := &shards[len(shards)-1]
		*replicas = append(*replicas, net.JoinHostPort(host, strconv.FormatInt(int64(port), 10)))
		return nil
	})
	if err == nil && len(shards) == 0 {
		err = fmt.Errorf("there is no cluster %s in the configuration of %s (remote_servers)", b.config.Cluster, b.config.Addresses[0])
	}
	return shards, err
}

// checkMacros refuses replicas that would not find each other, or would find
// those of another shard: their tables are named by the servers' macros.
func (c cluster) checkMacros(ctx context.Context) error {
	if !c.replicated() {
		return nil
	}
	shards, replicas := make(map[string]int), make(map[[2]string]bool)
	for i, shard := range c {
		for _, s := range shard {
			macros := make(map[string]string)
			err := s.query(ctx, "select macro, substitution from system.macros", func(scan facts.Scan) error {
				var name, value string
				err := scan(&name, &value)
				macros[name] = value
				return err
			})
			if err != nil {
				return err
			}
			name, replica := macros["shard"], macros["replica"]
			if name == "" || replica == "" {
				return fmt.Errorf("server %s is a replica and has no macros shard and replica: add them to its configuration", s)
			}
			if other, ok := shards[name]; ok && other != i || replicas[[2]string{name, replica}] {
				return fmt.Errorf("server %s has the macros shard %s and replica %s, like another one: each shard has a name, and each replica of it", s, name, replica)
			}
			shards[name], replicas[[2]string{name, replica}] = i, true
		}
		if len(shards) != i+1 {
			return fmt.Errorf("the replicas of shard %d have different macros shard: they must be the same", i+1)
		}
	}
	return nil
}
