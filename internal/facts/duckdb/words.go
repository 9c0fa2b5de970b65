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

// selectVisits reads columns of the visits of one file, as strings where they
// are strings. It joins only the words that are asked for.
func selectVisits(database string, columns []string) string {
	var list, joins []string
	for _, c := range columns {
		if key, ok := keys[c]; ok {
			c = "v." + key + " as " + c
		}
		list = append(list, c)
	}
	for _, w := range vocabulary {
		if slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(w.columns, c) }) {
			joins = append(joins, fmt.Sprintf(" join %s.%s using (%s)", database, w.table, w.key))
		}
	}
	return "select " + strings.Join(list, ", ") + " from " + database + ".visits v" + strings.Join(joins, "")
}

// selectRows reads columns of a table of one file.
func selectRows(database string, t facts.Table, columns []string) string {
	if t == facts.Visits {
		return selectVisits(database, columns)
	}
	return "select " + strings.Join(columns, ", ") + " from " + database + "." + string(t)
}
