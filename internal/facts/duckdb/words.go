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
// within a week (facts.Visits, facts.AgentTotals).
var keys = map[string]string{"website_key": "website", "page_key": "page", "path_key": "path", "agent_key": "agent"}

// groupKeys are the keys by which rows are grouped instead of by long strings.
// A directory has no number in a file: its key is that of its first page.
var groupKeys = map[string]string{"url_path": "path_key", "normalized_url_path": "page_key", "url_path_directory": directoryKey}

const directoryKey = "directory_key"

// selectRows reads columns of a table of one file, as strings where they are
// strings. It joins only the words that are asked for.
func selectRows(database string, t facts.Table, columns []string) string {
	var list, joins []string
	for _, c := range columns {
		if key, ok := keys[c]; ok {
			c = "v." + key + " as " + c
		}
		list = append(list, c)
	}
	for _, w := range wordsOf(t) {
		if !slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(w.columns, c) }) {
			continue
		}
		table := database + "." + w.table
		if w.table == "pages" && slices.Contains(columns, directoryKey) {
			table = fmt.Sprintf("(select *, min(page) over (partition by url_path_directory) as %s from %s)", directoryKey, table)
		}
		joins = append(joins, fmt.Sprintf(" join %s using (%s)", table, w.key))
	}
	return fmt.Sprintf("select %s from %s.%s v%s", strings.Join(list, ", "), database, t, strings.Join(joins, ""))
}

// wordsOf lists the words that the rows of a table have numbers of.
func wordsOf(t facts.Table) []words {
	switch t {
	case facts.Visits:
		return vocabulary[:]
	case facts.Totals:
		return wordsAt(wordWebsite)
	case facts.DirectoryTotals:
		return wordsAt(wordWebsite, wordPage)
	case facts.AgentTotals:
		return wordsAt(wordWebsite, wordSource, wordAgent)
	}
	return nil
}

func wordsAt(places ...int) (all []words) {
	for _, at := range places {
		all = append(all, vocabulary[at])
	}
	return all
}
