package clickhouse

import (
	"context"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// server is one ClickHouse server.
type server interface {
	// String is its address, for people.
	String() string
	// query reads, within limits: it cannot write, takes a bounded share of the
	// server, and ends on it, too, when the context does. Settings are added to
	// those that all statements have.
	query(ctx context.Context, sql string, row func(facts.Scan) error, settings ...string) error
	// exec writes.
	exec(ctx context.Context, sql string) error
	close() error
}

// inserter adds rows to tables.
type inserter interface {
	// insert adds rows, in the format RowBinary, compressed with gzip.
	insert(ctx context.Context, table, columns string, rows []byte) error
}

// Settings with which an answer cannot be short or skewed by what a profile on
// the server says: whatever does not fit is an error. They are written into the
// statement, because the protocol of old servers takes numbers only.
const honest = `
settings distributed_product_mode = 'local', skip_unavailable_shards = 0, max_parallel_replicas = 1,
  read_overflow_mode = 'throw', group_by_overflow_mode = 'throw', sort_overflow_mode = 'throw', result_overflow_mode = 'throw',
  timeout_overflow_mode = 'throw', set_overflow_mode = 'throw', join_overflow_mode = 'throw', transfer_overflow_mode = 'throw',
  distinct_overflow_mode = 'throw', join_use_nulls = 0`

// onOneShard is for a statement all of whose rows are on one shard: each shard
// answers it by itself. Otherwise it would send what it has counted, for distinct
// counts everything that is distinct, to be put together with nothing.
const onOneShard = "distributed_group_by_no_merge = 1"

// threadEach has each of several parts read by one thread, if they are about as small
// as a day: what is distinct in it need not be put together. It is what servers do by
// themselves, and not what native.query asks for.
const threadEach = "merge_tree_min_rows_for_concurrent_read = 163840"

// bounded is a statement with its settings.
func bounded(sql string, settings []string) string {
	return strings.Join(append([]string{sql + honest}, settings...), ", ")
}

// maxQuerySize is how long a statement may be: it names editions and prompts.
const maxQuerySize = 16 << 20

// scalar reads one number.
func scalar(ctx context.Context, s querier, sql string) (n int64, err error) {
	err = s.query(ctx, sql, func(scan facts.Scan) error { return scan((*facts.Int)(&n)) })
	return n, err
}
