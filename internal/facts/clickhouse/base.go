package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/sightline-hq/sightline/internal/facts"
)

// base is the database, for reading.
type base struct {
	config  Config
	engine  Engine // nil: the servers of the configuration
	entries *entries
}

// local is a table on one server.
func (b *base) local(table string) string { return b.config.Database + "." + table }

// all is a table on all shards.
func (b *base) all(table string) string {
	if b.config.Cluster != "" {
		table += "_all"
	}
	return b.local(table)
}

func (b *base) query(ctx context.Context, sql string, row func(facts.Scan) error, settings ...string) error {
	return b.entries.query(ctx, sql, row, settings...)
}

func (s Store) open() (*base, error) {
	b := &base{config: s.Config, engine: s.Engine}
	if s.Engine != nil {
		b.entries = newEntries(embedded{s.Engine})
		return b, nil
	}
	b.entries = newEntries()
	for _, address := range s.Config.Addresses {
		n, err := s.Config.open(address)
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		b.entries.servers = append(b.entries.servers, n)
	}
	return b, nil
}

func (b *base) close() error { return b.entries.close() }

// shards connects to each shard of the cluster, the first of which has the
// manifest. Without a cluster, the one server is the only shard.
func (b *base) shards(ctx context.Context) (all []server, err error) {
	if b.engine != nil {
		return b.entries.servers, nil
	}
	addresses, err := b.shardAddresses(ctx)
	if err != nil {
		return nil, err
	}
	for _, address := range addresses {
		s, err := b.config.open(address)
		if err != nil {
			return nil, errors.Join(err, closeAll(all))
		}
		all = append(all, s)
	}
	for i, s := range all {
		if _, err := scalar(ctx, s, "select 1"); err != nil {
			if b.config.Cluster != "" {
				err = fmt.Errorf("shard %d of %d of the cluster %s is down: start it, then try again: %w", i+1, len(all), b.config.Cluster, err)
			}
			return nil, errors.Join(err, closeAll(all))
		}
	}
	return all, nil
}

func closeAll(servers []server) (err error) {
	for _, s := range servers {
		err = errors.Join(err, s.close())
	}
	return err
}

func (b *base) shardAddresses(ctx context.Context) (addresses []string, err error) {
	if b.config.Cluster == "" {
		if len(b.config.Addresses) > 1 {
			return nil, errors.New("the URL of the facts names several servers and no cluster: add ?cluster=NAME")
		}
		return b.config.Addresses, nil
	}
	replicas := false
	err = b.query(ctx, `select shard_num, replica_num, host_name, port from system.clusters
		where cluster = `+quote(b.config.Cluster)+` order by shard_num, replica_num`, func(scan facts.Scan) error {
		var shard, replica, port facts.Int
		var host string
		if err := scan(&shard, &replica, &host, &port); err != nil {
			return err
		}
		replicas = replicas || replica > 1
		addresses = append(addresses, net.JoinHostPort(host, strconv.FormatInt(int64(port), 10)))
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(addresses) == 0:
		return nil, fmt.Errorf("there is no cluster %s in the configuration of %s (remote_servers)", b.config.Cluster, b.config.Addresses[0])
	case replicas:
		return nil, fmt.Errorf("the cluster %s has replicas, which sightline does not keep alike: name a cluster of shards with one server each", b.config.Cluster)
	}
	return addresses, nil
}
