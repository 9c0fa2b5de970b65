package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
)

func (a *app) key() *cobra.Command {
	return group("key", "Create, list, rotate and revoke API keys", a.keyCreate(), a.keyList(), a.keyRotate(), a.keyRevoke())
}

func (a *app) keyCreate() *cobra.Command {
	var team, name string
	c := &cobra.Command{
		Use:   "create --team TEAM",
		Short: "Create a key for a team; it is shown this once",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if team == "" {
				return wrong(c, "needs --team")
			}
			return a.changeCatalog(c.Context(), func(s *catalog.Store) error {
				info, key, err := s.CreateKey(c.Context(), team, name)
				if err != nil {
					return err
				}
				a.showKey(info, key)
				return nil
			})
		},
	}
	c.Flags().StringVar(&team, "team", "", "team that the key belongs to")
	c.Flags().StringVar(&name, "name", "", "what the key is for, for people")
	return c
}

func (a *app) keyRotate() *cobra.Command {
	return &cobra.Command{
		Use:   "rotate ID",
		Short: "Replace a key by a new one; the old one stops working",
		Args:  oneArg("the id of a key, as 'sightline key list' shows it"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.changeCatalog(c.Context(), func(s *catalog.Store) error {
				info, key, err := s.RotateKey(c.Context(), args[0])
				if err != nil {
					return err
				}
				a.showKey(info, key)
				return nil
			})
		},
	}
}

func (a *app) keyRevoke() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Stop a key from working",
		Args:  oneArg("the id of a key, as 'sightline key list' shows it"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.changeCatalog(c.Context(), func(s *catalog.Store) error {
				if err := s.RevokeKey(c.Context(), args[0]); err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "Key %s no longer works.\n", args[0])
				return nil
			})
		},
	}
}

func (a *app) keyList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the keys by id and first characters",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			store, err := a.readCatalog(c.Context())
			if err != nil {
				return err
			}
			defer store.Close()
			keys, err := store.Keys(c.Context())
			if err != nil {
				return err
			}
			if len(keys) == 0 {
				fmt.Fprintln(a.stderr, "There are no keys: make one with 'sightline key create --team TEAM'.")
				return nil
			}
			return printKeys(a.stdout, keys)
		},
	}
}

// showKey prints the key alone, so that a script can take it.
func (a *app) showKey(info catalog.KeyInfo, key string) {
	fmt.Fprintf(a.stderr, "Key %s of team %s. Keep it now: it is not shown again.\n", info.ID, info.TeamID)
	fmt.Fprintln(a.stdout, key)
}

func printKeys(w io.Writer, keys []catalog.KeyInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tTEAM\tNAME\tKEY\tCREATED\tSTATE")
	for _, k := range keys {
		state := "active"
		switch {
		case k.Revoked():
			state = "revoked " + k.RevokedAt.UTC().Format("2006-01-02")
		case k.TeamRetired:
			state = "team retired"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s…\t%s\t%s\n", k.ID, k.TeamID, k.Name, k.Prefix, k.CreatedAt.UTC().Format("2006-01-02"), state)
	}
	return t.Flush()
}
