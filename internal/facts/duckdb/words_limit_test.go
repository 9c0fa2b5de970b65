package duckdb

import "testing"

// LimitWords lets numberings start over after a few words.
func LimitWords(t *testing.T, n int) {
	before := maxWords
	maxWords = n
	t.Cleanup(func() { maxWords = before })
}
