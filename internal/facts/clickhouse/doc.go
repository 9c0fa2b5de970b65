// Package clickhouse keeps facts in ClickHouse: on one server, or on the shards
// of a cluster. It speaks to the servers that Debian ships (18.16) and to
// today's, so its SQL has no CTE, no window function and no FILTER.
//
// # Nothing published is ever changed
//
// Every row carries the ISO week it belongs to and the version of the publish
// that wrote it, and (week, version) is the partition: an edition of that week.
// A load writes its rows as editions of a version of its own, where nobody looks.
// A small manifest, on the first shard, says which editions make up each week at
// each version; a publish is one row of its table publishes, and that row is the
// only moment at which anything becomes visible, on all shards and in all weeks
// at once. Readers name the editions they read in every statement, so an answer is
// never from two versions, whichever server it is asked of, and the version is a
// key for caches that cannot lie. Between shards there is no moment in which one
// shows a load and the other does not. Replacing partitions (REPLACE PARTITION)
// or tokens that deduplicate inserts would give neither.
//
// A load only adds an edition to the weeks it touches. Those that hold a row with
// an id that comes again are written anew without it, and a week of many editions
// is written anew as one. Editions that are no longer current stay for a grace
// period and are dropped by a later load, and so is what a load that was killed
// left behind: its version is in no manifest, and is never used again.
//
// # Totals
//
// The figures of whole days and weeks (facts.Totals, facts.DirectoryTotals,
// facts.AgentTotals, facts.BusyPages: see totalsTables) are counted from the visits of a week by each
// load that touches it, as an edition beside them: each table is a kind of its own.
// A week that was published before there was a table has no edition of its kind,
// which is how a set knows, until 'sightline migrate' has counted it (Store.Count).
//
// Materialized views cannot do that: distinct counts do not add up, a view sees inserted
// blocks only, and would not take back what an id replaces. Keeping states of
// uniqExact instead of counts would move the counting to every reader. The totals
// of all weeks are in few partitions, by version: what a report costs there is
// mostly the number of parts.
//
// Pages with few visits in a week are left out of the busy ones: there are very many
// of them, and their visits, which lie together, are soon read.
//
// What reports read of them, and of the visits to small websites, stays in memory
// (package kept), by the editions of its week. Those never change, so it cannot be
// out of date.
//
// # Shards
//
// The visits of a website are on one shard, and so are the answers, mentions and
// citations of a prompt: the totals and the joins are local. Manifest and lock are
// tables on the first shard alone.
//
// A report on one website has all its rows on one shard, so each shard groups by
// itself (distributed_group_by_no_merge), and only the rows of the report travel.
// It is not so for several websites: they share the rows of a day, but not a
// shard; nor for answers, which share platforms and days.
//
// # Replicas
//
// Where the cluster has them, tables are ReplicatedMergeTree. Replication is not
// waited for by inserts, so a load waits (system sync replica) before it counts
// what has arrived, before it reads what it wrote, and before it publishes. Then a
// version that any replica names is whole on all. A server that has seen a version
// ignores replicas that have not heard of it yet. Dropping a partition is for the
// leader. The lock is on the first replica of the first shard, and loads need all
// of them: one that was away while rows were dropped and written could otherwise
// answer from what it missed.
//
// # One load at a time
//
// A load holds a table, load_N, where N is the version it will publish. Creating a
// table succeeds for one of two that try. It says that it is alive every few
// seconds; a load that is dead is fenced off by dropping its table: publishing is
// attaching the one row in load_N to publishes, which then cannot succeed any
// more, however late the dead come back.
package clickhouse
