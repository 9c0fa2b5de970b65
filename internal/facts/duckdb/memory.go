package duckdb

import "context"

// MemoryBytes implements facts.MemoryUser.
func (s *set) MemoryBytes(ctx context.Context) (bytes int64, err error) {
	err = s.db.QueryRowContext(ctx, "select coalesce(sum(memory_usage_bytes), 0)::bigint from duckdb_memory()").Scan(&bytes)
	return bytes, err
}
