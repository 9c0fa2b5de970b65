package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
)

// keyFilter are the flags of key list that choose keys.
type keyFilter struct {
	team, name string
	current    bool
}

func (a *app) keyList() *cobra.Command {
	var f keyFilter
	var output string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the keys by id and last four characters",
		Long: `List the keys by id and last four characters: all, or those of a team or a name. With --current,
only those that work and have no successor: of a key that was rotated with --overlap, the new one.

--output id prints the ids alone, a line each, for scripts.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkOutput(c, output, "table", "json", "id"); err != nil {
				return err
			}
			all, err := fromCatalog(c.Context(), a, (*catalog.Store).Keys)
			if err != nil {
				return err
			}
			now := time.Now()
			keys := f.of(all, now)
			switch {
			case output == "json":
				return a.asJSON(newKeysListed(keys, now))
			case len(all) == 0:
				fmt.Fprintln(a.stderr, "There are no keys: make one with 'sightline key create --team TEAM'.")
			case len(keys) == 0:
				fmt.Fprintln(a.stderr, "None of the keys is such a one: 'sightline key list' shows all.")
			case output == "id":
				for _, k := range keys {
					fmt.Fprintln(a.stdout, k.ID)
				}
			default:
				return printKeys(a.stdout, keys, now)
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.team, "team", "", "only the keys of this team")
	c.Flags().StringVar(&f.name, "name", "", "only the keys of this name")
	c.Flags().BoolVar(&f.current, "current", false, "only keys that work and have no successor")
	c.Flags().StringVar(&output, "output", "table", "table, json or id")
	return c
}

// of picks keys.
func (f keyFilter) of(all []catalog.KeyInfo, now time.Time) (keys []catalog.KeyInfo) {
	for _, k := range all {
		if (f.team == "" || k.TeamID == f.team) && (f.name == "" || k.Name == f.name) &&
			(!f.current || keyState(k, now) == keyActive && k.ReplacedBy == "") {
			keys = append(keys, k)
		}
	}
	return keys
}

// Words for whether a key works, and why it does not.
const (
	keyActive      = "active"
	keyDamaged     = "damaged"
	keyRevoked     = "revoked"
	keyExpired     = "expired"
	keyTeamRetired = "team retired"
)

func keyState(k catalog.KeyInfo, now time.Time) string {
	switch {
	case k.Damaged:
		return keyDamaged
	case k.Revoked():
		return keyRevoked
	case k.Expired(now):
		return keyExpired
	case k.TeamRetired:
		return keyTeamRetired
	}
	return keyActive
}

func printKeys(w io.Writer, keys []catalog.KeyInfo, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tTEAM\tNAME\tKEY\tCREATED\tEXPIRES\tREVOKED\tSTATE")
	for _, k := range keys {
		expires, revoked, state := "never", "-", keyState(k, now)
		if !k.ExpiresAt.IsZero() {
			expires = minute(k.ExpiresAt)
		}
		if k.Revoked() {
			revoked = minute(k.RevokedAt)
		}
		if state == keyActive && k.ReplacedBy != "" {
			state += " beside " + k.ReplacedBy
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.TeamID, k.Name, k.Shown, day(k.CreatedAt), expires, revoked, state)
	}
	return t.Flush()
}

// keysListed is what key list shows. As JSON, its field names are a promise.
type keysListed struct {
	Keys []keyListed `json:"keys"`
}

type keyListed struct {
	ID         string     `json:"id"`
	TeamID     string     `json:"teamId"`
	Name       string     `json:"name"` // empty if it was given none
	Shown      string     `json:"shown"`
	CreatedAt  time.Time  `json:"createdAt"`
	ExpiresAt  *time.Time `json:"expiresAt"`
	RevokedAt  *time.Time `json:"revokedAt"`
	ReplacedBy *string    `json:"replacedBy"` // the id of the key that it was rotated to
	State      string     `json:"state"`
}

func newKeysListed(keys []catalog.KeyInfo, now time.Time) keysListed {
	l := keysListed{Keys: []keyListed{}}
	for _, k := range keys {
		l.Keys = append(l.Keys, keyListed{k.ID, k.TeamID, k.Name, k.Shown, k.CreatedAt.UTC(), given(k.ExpiresAt), given(k.RevokedAt), nil, keyState(k, now)})
		if k.ReplacedBy != "" {
			l.Keys[len(l.Keys)-1].ReplacedBy = &k.ReplacedBy
		}
	}
	return l
}
