package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"text/tabwriter"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/show"
)

// unknownAgent is a user agent of visits by bots that are no known AI agent.
type unknownAgent struct {
	userAgent string
	visits    facts.Int
	lastSeen  facts.Int // Unix time
}

// unknownAgents lists them from what is published now; it writes nothing and
// waits for nobody.
func (a *app) unknownAgents(ctx context.Context, table *agents.Table, limit int) (err error) {
	if err := a.dir().Check(); err != nil {
		return err
	}
	store, err := a.factsStore()
	if err != nil {
		return err
	}
	source, err := store.Follow(ctx, facts.Following{Poll: pollEvery})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	set, err := source.Acquire()
	if err != nil {
		return err
	}
	defer set.Close()
	found, err := findUnknown(ctx, set, table, limit)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return printUnknown(a.stdout, found)
	}
	loaded, err := hasVisits(ctx, set)
	if err != nil {
		return err
	}
	if !loaded {
		fmt.Fprintln(a.stderr, "No visits are loaded yet: load some with 'sightline load logs FILE' or 'sightline load pageviews FILE'.")
		return nil
	}
	fmt.Fprintln(a.stderr, "Every bot among the loaded visits is in the table; 'sightline agents' prints it.")
	return nil
}

// fewestPerPage keeps the number of pages low where a table knows many of the
// rows by now.
const fewestPerPage = 1000

// findUnknown returns the most frequent ones that the table does not know: what
// was unknown when it was loaded may be in it by now.
func findUnknown(ctx context.Context, set facts.Set, table *agents.Table, limit int) (found []unknownAgent, err error) {
	visits := set.Table(facts.Visits, []string{"user_agent", "ts", "bot", "platform", "bot_type"}, facts.FirstSecond, facts.LastSecond)
	statement := facts.Statement{SQL: `select user_agent, count(*) as visit_count, max(ts) as last_seen
from ` + visits + `
where ` + set.Within(facts.Visits, facts.FirstSecond, facts.LastSecond) + ` and bot = 1 and platform = ? and bot_type = ?
group by user_agent
order by visit_count desc, user_agent
limit ? offset ?`}
	page := max(limit, fewestPerPage)
	for offset, rows := 0, page; rows == page && len(found) < limit; offset += page {
		rows = 0
		statement.Args = []any{api.PlatformOther, api.BotTypeOther, page, offset}
		err := set.Query(ctx, statement, func(scan facts.Scan) error {
			rows++
			var u unknownAgent
			if err := scan(&u.userAgent, &u.visits, &u.lastSeen); err != nil {
				return err
			}
			_, botType, _ := table.Bot(u.userAgent)
			if _, known := table.PlatformOf(botType); !known && len(found) < limit {
				found = append(found, u)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func hasVisits(ctx context.Context, set facts.Set) (has bool, err error) {
	visits := set.Table(facts.Visits, []string{"ts"}, facts.FirstSecond, facts.LastSecond)
	err = set.Query(ctx, facts.Statement{SQL: "select ts from " + visits +
		" where " + set.Within(facts.Visits, facts.FirstSecond, facts.LastSecond) + " limit 1"}, func(facts.Scan) error {
		has = true
		return nil
	})
	return has, err
}

func printUnknown(w io.Writer, found []unknownAgent) error {
	short := isTerminal(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "VISITS\tLAST SEEN\tUSER AGENT")
	for _, u := range found {
		name := printable(u.userAgent)
		switch {
		case name == "":
			name = "(none)"
		case short:
			name = shortened(name)
		}
		fmt.Fprintf(t, "%d\t%s\t%s\n", u.visits, time.Unix(int64(u.lastSeen), 0).UTC().Format(time.RFC3339), name)
	}
	return t.Flush()
}

// printable makes text of strangers safe to look at.
func printable(s string) string { return show.Printable(s) }

// shortWidth is how much of a user agent a terminal shows.
const shortWidth = 120

// boilerplate is what most user agents contain and none is told by.
var boilerplate = regexp.MustCompile(`AppleWebKit/[0-9.]+ \(KHTML, like Gecko\)( Chrome/[0-9.]+)?( Mobile)?( Safari/[0-9.]+)?`)

// shortened cuts the boilerplate out of a long user agent, and then the middle:
// bots write their name near either end.
func shortened(s string) string {
	runes := []rune(s)
	if len(runes) > shortWidth {
		runes = []rune(boilerplate.ReplaceAllString(s, "…"))
	}
	if len(runes) <= shortWidth {
		return string(runes)
	}
	const head = shortWidth / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(shortWidth-head-1):])
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
