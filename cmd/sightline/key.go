package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
)

func (a *app) key() *cobra.Command {
	return group("key", "Create, list, rotate and revoke API keys", a.keyCreate(), a.keyList(), a.keyRotate(), a.keyRevoke(), a.keyLog())
}

const expiresUsage = "when the key stops working: after a time such as 90d or 12h, at the start of a day such as 2027-01-31 (UTC), or never"

func (a *app) keyCreate() *cobra.Command {
	var team, name, expires string
	c := &cobra.Command{
		Use:   "create --team TEAM",
		Short: "Create a key for a team; it is shown this once",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if team == "" {
				return wrong(c, "needs --team")
			}
			options, err := keyTerms(c, expires)
			if err != nil {
				return err
			}
			return a.changeCatalog(c.Context(), func(s *catalog.Store) error {
				info, key, err := s.CreateKey(c.Context(), team, name, options...)
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
	c.Flags().StringVar(&expires, "expires", "never", expiresUsage)
	return c
}

func (a *app) keyRotate() *cobra.Command {
	var expires, overlap string
	c := &cobra.Command{
		Use:   "rotate ID",
		Short: "Replace a key by a new one; the old one stops working, at once or after --overlap",
		Long: `Replace a key by a new one of the same team and name. The old one stops working at once, or
goes on working beside the new one for the time that --overlap gives, so that nothing breaks
while programs are told the new one.

The new key lasts as long as the old one was made to last, unless --expires says otherwise.`,
		Args: oneArg("the id of a key, as 'sightline key list' shows it"),
		RunE: func(c *cobra.Command, args []string) error {
			options, err := keyTerms(c, expires)
			if err != nil {
				return err
			}
			if overlap != "" {
				d, err := parseSpan(overlap)
				if err != nil {
					return usageError{fmt.Errorf("--overlap %w", err)}
				}
				options = append(options, catalog.Overlap(d))
			}
			return a.changeCatalog(c.Context(), func(s *catalog.Store) error {
				return a.rotate(c.Context(), s, args[0], options)
			})
		},
	}
	c.Flags().StringVar(&overlap, "overlap", "", "how long the old key goes on working, such as 24h or 7d (default: it stops at once)")
	c.Flags().StringVar(&expires, "expires", "", expiresUsage)
	return c
}

// rotate says until when the old key works: with an overlap that is its end or the
// overlap's, whichever comes first.
func (a *app) rotate(ctx context.Context, s *catalog.Store, id string, options []catalog.KeyOption) error {
	before, err := s.Key(ctx, id)
	if err != nil {
		return err
	}
	info, key, err := s.RotateKey(ctx, id, options...)
	if err != nil {
		return err
	}
	a.showKey(info, key)
	old, err := s.Key(ctx, id)
	switch {
	case err != nil:
		return fmt.Errorf("the key is rotated, but until when the old one works cannot be read: %w", err)
	case old.Revoked(): // it has stopped, as it does without an overlap
	case old.ExpiresAt.Equal(before.ExpiresAt):
		fmt.Fprintf(a.stderr, "Key %s goes on working until %s, when it expires.\n", id, minute(old.ExpiresAt))
	default:
		fmt.Fprintf(a.stderr, "Key %s goes on working until %s.\n", id, minute(old.ExpiresAt))
	}
	return nil
}

// keyTerms reads --expires, if it was given.
func keyTerms(c *cobra.Command, expires string) ([]catalog.KeyOption, error) {
	if !c.Flags().Changed("expires") {
		return nil, nil
	}
	at, err := parseExpiry(expires, time.Now())
	if err != nil {
		return nil, usageError{err}
	}
	return []catalog.KeyOption{catalog.Expires(at)}, nil
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

// showKey prints the key alone, so that a script can take it.
func (a *app) showKey(info catalog.KeyInfo, key string) {
	ends := ""
	if !info.ExpiresAt.IsZero() {
		ends = " It works until " + minute(info.ExpiresAt) + "."
	}
	fmt.Fprintf(a.stderr, "Key %s of team %s.%s Keep it now: it is not shown again.\n", info.ID, info.TeamID, ends)
	fmt.Fprintln(a.stdout, key)
}
