//go:build !nocounts

package duckdb

// withCounts says whether a load counts what it stores. Without it (the build tag
// nocounts) bench measures what that costs; such files answer no report.
const withCounts = true
