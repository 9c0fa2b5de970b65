//go:build nocounts

package duckdb

const withCounts = false
