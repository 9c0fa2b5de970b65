package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"os"
	"os/user"
	"strconv"
	"strings"
	"time"
)

// KeyAction is what was done to a key.
type KeyAction string

// The actions, as the log has them.
const (
	KeyCreated KeyAction = "create"
	KeyRotated KeyAction = "rotate"
	KeyRevoked KeyAction = "revoke"
)

// KeyEvent is an entry of the log of keys.
type KeyEvent struct {
	At     time.Time
	Action KeyAction
	KeyID  string
	TeamID string
	Name   string // of the key, as it was
	User   string // of the operating system
	Host   string
	Detail string // "to k_…, until 2026-03-02T09:00:00Z"
}

// KeyLog lists what was ever done to keys, the oldest first.
func (s *Store) KeyLog(ctx context.Context) (events []KeyEvent, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		l := &loader{ctx: ctx, tx: tx}
		l.each(`select at, action, key_id, team_id, key_name, os_user, host, detail from key_log order by number`, func(scan scan) error {
			var e KeyEvent
			var at int64
			err := scan(&at, &e.Action, &e.KeyID, &e.TeamID, &e.Name, &e.User, &e.Host, &e.Detail)
			e.At = time.Unix(at, 0).UTC()
			events = append(events, e)
			return err
		})
		return l.err
	})
	return events, err
}

// logKey adds an entry, in the transaction of what it tells. Writers come one
// after the other, so the next number is free.
func logKey(ctx context.Context, tx *sql.Tx, action KeyAction, k KeyInfo, detail string) error {
	name, host := whoAmI()
	var last int64
	if err := tx.QueryRowContext(ctx, `select coalesce(max(number), 0) from key_log`).Scan(&last); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `insert into key_log (number, at, action, key_id, team_id, key_name, os_user, host, detail)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, last+1, time.Now().Unix(), string(action), k.ID, k.TeamID, k.Name, name, host, strings.TrimPrefix(detail, ", "))
	return err
}

// until says in the log when a key ends by itself, if it does.
func until(k KeyInfo) string {
	if k.ExpiresAt.IsZero() {
		return ""
	}
	return ", until " + k.ExpiresAt.Format(time.RFC3339)
}

// whoAmI is who runs this program, as the system knows them.
func whoAmI() (name, host string) {
	name = "uid " + strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil {
		name = cmp.Or(u.Username, name)
	}
	host, _ = os.Hostname()
	return name, cmp.Or(host, "unknown")
}
