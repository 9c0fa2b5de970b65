package duckdb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// words is a table that says what a number of a visit stands for.
type words struct {
	table   string   // its name
	key     string   // the number, here and in visits
	columns []string // what it stands for
}

// sum is the SQL of a sum of a word, by which words are compared.
func (w words) sum() string {
	return "sha256(concat_ws(chr(0), " + strings.Join(w.columns, ", ") + "))"
}

// vocabulary is all of them.
var vocabulary = [...]words{
	{"websites", "website", []string{"website_id"}},
	{"sources", "source", []string{"platform", "bot_type"}},
	{"pages", "page", []string{"normalized_url_path", "url_path_directory"}},
	{"paths", "path", []string{"url_path"}},
	{"agents", "agent", []string{"user_agent"}},
}

// Places in the vocabulary.
const (
	wordWebsite = iota
	wordSource
	wordPage
	wordPath
	wordAgent
)

// keys are columns that stand for strings, equal where the strings are equal
// within a week (facts.Visits).
var keys = map[string]string{"website_key": "website", "page_key": "page", "agent_key": "agent"}

// selectRows reads columns of a table of one file, as strings where they are
// strings. It joins only the words that are asked for.
func selectRows(database string, t facts.Table, columns []string) string {
	var list, joins []string
	for _, c := range columns {
		if key, ok := keys[c]; ok && t == facts.Visits {
			c = "v." + key + " as " + c
		}
		list = append(list, c)
	}
	for _, w := range wordsOf(t) {
		if slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(w.columns, c) }) {
			joins = append(joins, fmt.Sprintf(" join %s.%s using (%s)", database, w.table, w.key))
		}
	}
	return fmt.Sprintf("select %s from %s.%s v%s", strings.Join(list, ", "), database, t, strings.Join(joins, ""))
}

// wordsOf lists the words that the rows of a table have numbers of.
func wordsOf(t facts.Table) []words {
	switch t {
	case facts.Visits:
		return vocabulary[:]
	case facts.Totals:
		return vocabulary[wordWebsite : wordWebsite+1]
	}
	return nil
}
