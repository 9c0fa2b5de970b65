package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// factsStore is where the facts are: in the data directory, or where --facts says.
func (a *app) factsStore() (facts.Store, error) {
	if a.facts == "" {
		return duckdb.Store{Dir: a.dir().Facts()}, a.dir().FactsLost()
	}
	return a.clickhouse()
}

// places says where data and facts are, without passwords.
func (a *app) places() string {
	text := "data in " + a.data
	if place := a.factsPlace(); place != "" {
		text += ", facts in " + place
	}
	return text
}

// factsPlace is where the facts are if not in the data directory.
func (a *app) factsPlace() string {
	store, err := a.clickhouse()
	if a.facts == "" || err != nil {
		return ""
	}
	return store.Config.String()
}

func (a *app) clickhouse() (clickhouse.Store, error) {
	config, err := clickhouse.ParseURL(a.facts, a.getenv)
	if err != nil {
		return clickhouse.Store{}, usageError{fmt.Errorf("--facts: %w", err)}
	}
	return clickhouse.Store{Config: config}, nil
}

// factsFlag adds --facts to commands that work on facts.
func (a *app) factsFlag(commands ...*cobra.Command) {
	for _, c := range commands {
		c.Flags().StringVar(&a.facts, "facts", "", "facts in ClickHouse instead of the data directory: clickhouse://user@host:9000/db?cluster=NAME"+
			" (password in "+clickhouse.PasswordVariable+")")
	}
}
