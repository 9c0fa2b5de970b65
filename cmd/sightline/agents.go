package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/agents"
)

const agentsUsage = "CSV file with agents of your own, added to the built-in table"

func (a *app) agents() *cobra.Command {
	var own string
	var unknown bool
	var limit int
	c := &cobra.Command{
		Use:   "agents",
		Short: "Print the tables by which AI agents and AI referrers are recognised",
		Long: `Print the tables by which AI agents and AI referrers are recognised.

An agent is found by a word of its user agent. A referrer is found by utm_source, by
host (host_path: below a path of it), or by the package of an Android app; exclude rows
are hosts that are not AI though they look like it.

--agents adds the rows of a CSV file with the columns token, bot_type and platform (and,
if you like, purpose, operator, doc_url, source and note) to the table of agents; a row
with the token of a built-in one replaces it. Give the same file to 'sightline load'.

--unknown lists the bots among the loaded visits that are in neither table, the most
frequent first.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			table, err := agentTable(own)
			if err != nil {
				return err
			}
			if !unknown {
				return printAgents(a.stdout, table, own != "")
			}
			if limit < 1 {
				return usageError{errors.New("--limit must be at least 1")}
			}
			return a.unknownAgents(c.Context(), table, limit)
		},
	}
	c.Flags().StringVar(&own, "agents", "", agentsUsage)
	c.Flags().BoolVar(&unknown, "unknown", false, "list the most frequent bots among the loaded visits that are in no table")
	a.factsFlag(c)
	c.Flags().IntVar(&limit, "limit", 30, "how many of them to list")
	return c
}

// agentTable is the built-in table with the rows of a file, if one is given.
func agentTable(file string) (*agents.Table, error) {
	if file == "" {
		return agents.Default(), nil
	}
	return agents.WithFile(file)
}

func printAgents(w io.Writer, table *agents.Table, marked bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	mark := func(text string) string {
		if marked {
			return text + "\t"
		}
		return ""
	}
	fmt.Fprintln(t, mark("TABLE")+"USER AGENT\tBOT TYPE\tPLATFORM\tPURPOSE\tOPERATOR")
	for _, row := range table.Agents() {
		from := mark("built-in")
		if row.Own {
			from = mark("own")
		}
		fmt.Fprintf(t, "%s%s\t%s\t%s\t%s\t%s\n", from, row.Token, row.BotType, row.Platform, row.Purpose, printable(row.Operator))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t, "\nREFERRER\tKIND\tPLATFORM")
	for _, row := range table.Referrers() {
		if row.Platform == "" {
			continue // known, but it names no platform, so it decides nothing
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", row.Value, row.Kind, row.Platform)
	}
	return t.Flush()
}
