package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
)

func (a *app) keyLog() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "log",
		Short: "Show who created, rotated and revoked keys, and when",
		Long: `Show what was ever done to keys, the oldest first: when, what, to which key, and by which user
of which host. The database refuses to change or to cut this log.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkOutput(c, output, "table", "json"); err != nil {
				return err
			}
			events, err := fromCatalog(c.Context(), a, (*catalog.Store).KeyLog)
			switch {
			case err != nil:
				return err
			case output == "json":
				return a.asJSON(newKeyLogged(events))
			case len(events) == 0:
				fmt.Fprintln(a.stderr, "Nothing was done to keys yet.")
				return nil
			}
			return printKeyLog(a.stdout, events)
		},
	}
	c.Flags().StringVar(&output, "output", "table", "table or json")
	return c
}

func printKeyLog(w io.Writer, events []catalog.KeyEvent) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "WHEN\tWHAT\tKEY\tTEAM\tNAME\tBY\tDETAIL")
	for _, e := range events {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s@%s\t%s\n", e.At.Format(time.RFC3339), e.Action, e.KeyID, e.TeamID, e.Name, e.User, e.Host, e.Detail)
	}
	return t.Flush()
}

// keyLogged is what key log shows. As JSON, its field names are a promise.
type keyLogged struct {
	Events []keyEvent `json:"events"` // the oldest first
}

type keyEvent struct {
	At     time.Time         `json:"at"`
	Action catalog.KeyAction `json:"action"`
	KeyID  string            `json:"keyId"`
	TeamID string            `json:"teamId"`
	Name   string            `json:"name"` // of the key, as it was
	User   string            `json:"user"`
	Host   string            `json:"host"`
	Detail string            `json:"detail"`
}

func newKeyLogged(events []catalog.KeyEvent) keyLogged {
	l := keyLogged{Events: []keyEvent{}}
	for _, e := range events {
		l.Events = append(l.Events, keyEvent(e))
		l.Events[len(l.Events)-1].At = e.At.UTC()
	}
	return l
}
