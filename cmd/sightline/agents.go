package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/agents"
)

func (a *app) agents() *cobra.Command {
	return &cobra.Command{
		Use:   "agents",
		Short: "Print the tables by which AI agents and AI referrers are recognised",
		Long: `Print the tables by which AI agents and AI referrers are recognised.

An agent is found by a word of its user agent. A referrer is found by utm_source, by
host (host_path: below a path of it), or by the package of an Android app; exclude rows
are hosts that are not AI though they look like it.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			table := agents.Default()
			t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(t, "USER AGENT\tBOT TYPE\tPLATFORM\tPURPOSE\tOPERATOR")
			for _, row := range table.Agents() {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", row.Token, row.BotType, row.Platform, row.Purpose, row.Operator)
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
		},
	}
}
