package duckdb_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// held lists what a reader holds of the directories and of the user agents of a website.
func held(t *testing.T, set facts.Set, website string) string {
	t.Helper()
	q := facts.TotalsQuery{Table: facts.DirectoryTotals, WebsiteIDs: []string{website}, Width: 7, Last: allTime}
	var all []string
	err := set.(facts.Reader).Totals(t.Context(), q, func(r *facts.TotalsRow) {
		all = append(all, fmt.Sprint(r.Path, " ", r.Figures[facts.TotalBots], "+", r.Figures[facts.TotalHumans]))
	})
	q.Table = facts.AgentTotals
	err = errors.Join(err, set.(facts.Reader).Agents(t.Context(), q, func(r *facts.AgentsRow) {
		all = append(all, fmt.Sprint(r.BotType, " has ", len(r.Agents)))
	}))
	if errors.Is(err, facts.ErrTooMany) {
		return "too many"
	}
	if err != nil {
		return err.Error()
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestDirectoriesAndAgentsAreHeldIfTheyAreNotTooMany(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	var rows []any
	for i := range 6 {
		human, bot := visit(monday+int64(i)*facts.DaySeconds, "w", fmt.Sprint("/", i)), visit(monday+int64(i), "w", "/bot")
		human.URLPathDirectory = fmt.Sprint("/d", i%2)
		bot.Bot, bot.Origin, bot.Agent = true, &facts.Origin{Platform: "openai", BotType: "crawler"}, &facts.Agent{UserAgent: fmt.Sprint("bot ", i%3)}
		rows = append(rows, human, bot)
	}
	publish(t, loader, facts.KindVisits, "first", rows...)
	set := acquire(t, follow(t, dir))
	defer set.Close()
	if !set.Has(facts.DirectoryTotals, 0, allTime) || !set.Has(facts.AgentTotals, 0, allTime) {
		t.Error("a file of today lacks tables")
	}
	for range 2 { // read, and at hand
		expect(t, held(t, set, "w"), "/ 6+0, /d0 0+3, /d1 0+3, crawler has 3")
		expect(t, held(t, set, "nobody"), "")
	}
	duckdb.HoldAtMost(t, 2)
	again := acquire(t, follow(t, dir))
	defer again.Close()
	for range 2 {
		expect(t, held(t, again, "w"), "too many")
		expect(t, held(t, again, "nobody"), "")
	}
}

// A report on very many websites is better answered by the engine, too.
func TestARequestHoldsTheTotalsOfSomeWebsitesOnly(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	var rows []any
	var websites []string
	for i := range 6 {
		websites = append(websites, fmt.Sprint("w-", i))
		rows = append(rows, visit(monday, websites[i], "/"), visit(monday+3*facts.WeekSeconds, websites[i], "/"))
	}
	publish(t, loader, facts.KindVisits, "first", rows...)
	set := acquire(t, follow(t, dir))
	defer set.Close()
	duckdb.HoldAtMost(t, 5)
	count := func(of []string, last int64) string {
		n := 0
		q := facts.TotalsQuery{Table: facts.Totals, WebsiteIDs: of, Width: 7, First: monday, Last: last}
		if err := set.(facts.Reader).Totals(t.Context(), q, func(*facts.TotalsRow) { n++ }); err != nil {
			return err.Error()
		}
		return fmt.Sprint(n)
	}
	for range 2 { // read, and at hand
		expect(t, count(websites[:5], monday), "5")
		expect(t, count(websites, monday), facts.ErrTooMany.Error())      // in one file
		expect(t, count(websites[:3], allTime), facts.ErrTooMany.Error()) // in all
		expect(t, count(websites[4:], allTime), "4")
	}
}
