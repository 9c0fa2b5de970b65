package main

import (
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// factsStore is where the facts are.
func (a *app) factsStore() (facts.Store, error) {
	return duckdb.Store{Dir: a.dir().Facts()}, nil
}
