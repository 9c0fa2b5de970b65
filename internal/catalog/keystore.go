package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// KeyInfo is what can be told about a key without telling the key.
type KeyInfo struct {
	ID          string
	TeamID      string
	TeamRetired bool   // the key does not work while its team is retired
	Name        string // "" if it was given none
	Prefix      string // the key's first characters
	CreatedAt   time.Time
	RevokedAt   time.Time // zero if it is not revoked
}

// Revoked tells whether the key was revoked.
func (k KeyInfo) Revoked() bool { return !k.RevokedAt.IsZero() }

// CreateKey makes a key for a team. The key is returned this once; only its hash
// is kept. The name is for people and may be empty.
func (s *Store) CreateKey(ctx context.Context, team, name string) (info KeyInfo, key string, err error) {
	if name != "" {
		if _, reason := shortText(name); reason != "" {
			return KeyInfo{}, "", fmt.Errorf("name of the key: %s", reason)
		}
	}
	err = s.change(ctx, func(tx *sql.Tx) (bool, error) {
		if err := activeTeam(ctx, tx, team); err != nil {
			return false, err
		}
		info, key, err = insertKey(ctx, tx, team, name)
		return true, err
	})
	return secretOr(info, key, err)
}

// RotateKey makes a new key for the team of an old one, with the same name, and
// revokes the old one, at once.
func (s *Store) RotateKey(ctx context.Context, id string) (info KeyInfo, key string, err error) {
	err = s.change(ctx, func(tx *sql.Tx) (bool, error) {
		old, err := findKey(ctx, tx, id)
		switch {
		case err != nil:
			return false, err
		case old.Revoked():
			return false, fmt.Errorf("key %s is revoked: make a new one with sightline key create --team %s", id, old.TeamID)
		}
		if err := activeTeam(ctx, tx, old.TeamID); err != nil {
			return false, err
		}
		if err := revoke(ctx, tx, old); err != nil {
			return false, err
		}
		info, key, err = insertKey(ctx, tx, old.TeamID, old.Name)
		return true, err
	})
	return secretOr(info, key, err)
}

// RevokeKey ends a key. Revoking it again changes nothing.
func (s *Store) RevokeKey(ctx context.Context, id string) error {
	return s.change(ctx, func(tx *sql.Tx) (bool, error) {
		k, err := findKey(ctx, tx, id)
		if err != nil || k.Revoked() {
			return false, err
		}
		return true, revoke(ctx, tx, k)
	})
}

// Keys lists all keys, the oldest first, revoked ones included.
func (s *Store) Keys(ctx context.Context) (keys []KeyInfo, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		l := &loader{ctx: ctx, tx: tx}
		l.each(selectKeys+` order by k.created_at, k.id`, func(scan scan) error {
			k, err := scanKey(scan)
			keys = append(keys, k)
			return err
		})
		return l.err
	})
	return keys, err
}

const selectKeys = `select k.id, k.team_id, t.retired, k.name, k.prefix, k.created_at, k.revoked_at
	from api_keys k join teams t on t.id = k.team_id`

func scanKey(scan scan) (k KeyInfo, err error) {
	var created int64
	var revoked sql.NullInt64
	err = scan(&k.ID, &k.TeamID, &k.TeamRetired, &k.Name, &k.Prefix, &created, &revoked)
	k.CreatedAt = time.Unix(created, 0).UTC()
	if revoked.Valid {
		k.RevokedAt = time.Unix(revoked.Int64, 0).UTC()
	}
	return k, err
}

func findKey(ctx context.Context, tx *sql.Tx, id string) (KeyInfo, error) {
	if strings.HasPrefix(id, keyPrefix) {
		// Not repeated: error messages end up in logs, and this may be a secret.
		return KeyInfo{}, errors.New("that is a key, not the id of one: see sightline key list")
	}
	k, err := scanKey(tx.QueryRowContext(ctx, selectKeys+` where k.id = $1`, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return k, fmt.Errorf("no key %s: see sightline key list", shorten(id))
	}
	return k, err
}

func insertKey(ctx context.Context, tx *sql.Tx, team, name string) (KeyInfo, string, error) {
	key := newKey()
	info := KeyInfo{
		ID: newKeyID(), TeamID: team, Name: name, Prefix: key[:keyShown],
		CreatedAt: time.Now().UTC().Truncate(time.Second),
	}
	_, err := tx.ExecContext(ctx,
		`insert into api_keys (id, team_id, name, hash, prefix, created_at) values ($1, $2, $3, $4, $5, $6)`,
		info.ID, team, name, keyHash(key), info.Prefix, info.CreatedAt.Unix())
	return info, key, err
}

// revoke never dates a revocation before the creation, whatever the clock did.
func revoke(ctx context.Context, tx *sql.Tx, k KeyInfo) error {
	at := max(time.Now().Unix(), k.CreatedAt.Unix())
	_, err := tx.ExecContext(ctx, `update api_keys set revoked_at = $1 where id = $2`, at, k.ID)
	return err
}

// activeTeam refuses a team that does not exist or is retired.
func activeTeam(ctx context.Context, tx *sql.Tx, team string) error {
	var teams []string
	l := &loader{ctx: ctx, tx: tx}
	found := false
	l.each(`select id from teams where not retired`, func(scan scan) error {
		var id string
		err := scan(&id)
		teams = append(teams, id)
		found = found || id == team
		return err
	})
	if l.err != nil || found {
		return l.err
	}
	if len(teams) == 0 {
		return fmt.Errorf("unknown team %s: there are no teams, run sightline apply first", quote(team))
	}
	return fmt.Errorf("unknown team %s: %s", quote(team), teamsAre(sorted(teams)))
}

// secretOr lets no key out whose transaction failed.
func secretOr(info KeyInfo, key string, err error) (KeyInfo, string, error) {
	if err != nil {
		return KeyInfo{}, "", err
	}
	return info, key, nil
}
