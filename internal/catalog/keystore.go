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
	Shown       string // the key's end, or of old keys its beginning
	CreatedAt   time.Time
	ExpiresAt   time.Time // zero if it does not end by itself
	RevokedAt   time.Time // zero if it is not revoked
	ReplacedBy  string    // the id of the key that it was rotated to
	Damaged     bool      // the row is not what was written: the key does not work, and the rest may be wrong
}

// Revoked tells whether the key was revoked.
func (k KeyInfo) Revoked() bool { return !k.RevokedAt.IsZero() }

// Expired tells whether the key has ended by itself at a time.
func (k KeyInfo) Expired(now time.Time) bool {
	return !k.ExpiresAt.IsZero() && now.Unix() >= k.ExpiresAt.Unix()
}

// KeyOption says more about a key that is made.
type KeyOption func(*keyTerms)

// keyTerms are how long keys go on working.
type keyTerms struct {
	expires time.Time     // of the new key
	set     bool          // that was asked for, if only "never"
	overlap time.Duration // for which an old key goes on working beside the new one
}

// Expires ends the new key at a time, which must lie ahead. With a zero time it
// never ends by itself, not even if the key that it replaces did.
func Expires(at time.Time) KeyOption {
	return func(t *keyTerms) { t.expires, t.set = at.UTC().Truncate(time.Second), true }
}

// Overlap lets a key that is rotated go on working for a while.
func Overlap(d time.Duration) KeyOption { return func(t *keyTerms) { t.overlap = d } }

func termsOf(options []KeyOption, now time.Time) (t keyTerms, err error) {
	for _, option := range options {
		option(&t)
	}
	switch {
	case !t.expires.IsZero() && !t.expires.After(now):
		err = fmt.Errorf("the key would have expired at %s: name a time that is still to come", t.expires.Format(time.RFC3339))
	case t.overlap < 0:
		err = fmt.Errorf("an overlap of %s ends before it begins", t.overlap)
	}
	return t, err
}

// CreateKey makes a key for a team. The key is returned this once; only its hash
// is kept. The name is for people and may be empty.
func (s *Store) CreateKey(ctx context.Context, team, name string, options ...KeyOption) (info KeyInfo, key string, err error) {
	if name != "" {
		if _, reason := shortText(name); reason != "" {
			return KeyInfo{}, "", fmt.Errorf("name of the key: %s", reason)
		}
	}
	err = s.change(ctx, func(tx *sql.Tx) (bool, error) {
		if err := activeTeam(ctx, tx, team); err != nil {
			return false, err
		}
		now := time.Now()
		terms, err := termsOf(options, now)
		if err != nil {
			return false, err
		}
		info, key, err = insertKey(ctx, tx, KeyInfo{TeamID: team, Name: name, CreatedAt: now, ExpiresAt: terms.expires})
		if err != nil {
			return false, err
		}
		return true, logKey(ctx, tx, KeyCreated, info, until(info))
	})
	return secretOr(info, key, err)
}

// RotateKey makes a new key for the team of an old one, with the same name and
// for as long as the old one was made for, unless told otherwise. The old one
// ends at once, or after the overlap.
func (s *Store) RotateKey(ctx context.Context, id string, options ...KeyOption) (info KeyInfo, key string, err error) {
	err = s.change(ctx, func(tx *sql.Tx) (bool, error) {
		now := time.Now()
		terms, err := termsOf(options, now)
		if err != nil {
			return false, err
		}
		old, err := s.rotatable(ctx, tx, id, now)
		if err != nil {
			return false, err
		}
		next := KeyInfo{TeamID: old.TeamID, Name: old.Name, CreatedAt: now, ExpiresAt: terms.expires}
		if !terms.set && !old.ExpiresAt.IsZero() {
			next.ExpiresAt = now.Add(old.ExpiresAt.Sub(old.CreatedAt))
		}
		if info, key, err = insertKey(ctx, tx, next); err != nil {
			return false, err
		}
		if err := replaceKey(ctx, tx, &old, info, terms.overlap); err != nil {
			return false, err
		}
		if err := logKey(ctx, tx, KeyRotated, old, "to "+info.ID+until(old)); err != nil {
			return false, err
		}
		return true, logKey(ctx, tx, KeyCreated, info, "for "+old.ID+until(info))
	})
	return secretOr(info, key, err)
}

// rotatable finds a key that works.
func (s *Store) rotatable(ctx context.Context, tx *sql.Tx, id string, now time.Time) (KeyInfo, error) {
	k, err := findKey(ctx, tx, id)
	again := "make a new one with sightline key create --team " + k.TeamID
	switch {
	case err != nil:
		return k, err
	case k.Damaged:
		return k, damagedKey(id)
	case k.ReplacedBy != "" && k.Revoked():
		return k, fmt.Errorf("key %s is revoked, and was rotated before: rotate %s, which took its place", id, k.ReplacedBy)
	case k.ReplacedBy != "":
		return k, fmt.Errorf("key %s was rotated already: rotate %s, which took its place", id, k.ReplacedBy)
	case k.Revoked():
		return k, fmt.Errorf("key %s is revoked: %s", id, again)
	case k.Expired(now):
		return k, fmt.Errorf("key %s has expired: %s", id, again)
	}
	return k, activeTeam(ctx, tx, k.TeamID)
}

// replaceKey ends a key that was rotated, at once or after a while. It never
// lets it live longer than it would have.
func replaceKey(ctx context.Context, tx *sql.Tx, old *KeyInfo, by KeyInfo, overlap time.Duration) error {
	old.ReplacedBy = by.ID
	if _, err := tx.ExecContext(ctx, `update api_keys set replaced_by = $1 where id = $2`, by.ID, old.ID); err != nil {
		return err
	}
	if overlap == 0 {
		return revoke(ctx, tx, *old)
	}
	if end := by.CreatedAt.Add(overlap); old.ExpiresAt.IsZero() || end.Before(old.ExpiresAt) {
		old.ExpiresAt = end.Truncate(time.Second)
	}
	if _, err := tx.ExecContext(ctx, `update api_keys set expires_at = $1 where id = $2`,
		max(old.ExpiresAt.Unix(), old.CreatedAt.Unix()), old.ID); err != nil {
		return err
	}
	return sealKey(ctx, tx, old.ID)
}

// RevokeKey ends a key. Revoking it again changes nothing. One that is damaged is
// removed: nothing that is left of it can be relied on.
func (s *Store) RevokeKey(ctx context.Context, id string) error {
	return s.change(ctx, func(tx *sql.Tx) (bool, error) {
		k, err := findKey(ctx, tx, id)
		switch {
		case err != nil:
			return false, err
		case k.Damaged:
			return true, removeKey(ctx, tx, k)
		case k.Revoked():
			return false, nil
		}
		if err := revoke(ctx, tx, k); err != nil {
			return false, err
		}
		return true, logKey(ctx, tx, KeyRevoked, k, "")
	})
}

// Key is one of them.
func (s *Store) Key(ctx context.Context, id string) (k KeyInfo, err error) {
	err = s.read(ctx, func(tx *sql.Tx) (err error) {
		k, err = findKey(ctx, tx, id)
		return err
	})
	return k, err
}

// Keys lists all keys, the oldest first, revoked ones included.
func (s *Store) Keys(ctx context.Context) (keys []KeyInfo, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		l := &loader{ctx: ctx, tx: tx}
		l.each(keysAndTeams+` order by k.created_at, k.id`, func(scan scan) error {
			k, err := scanKey(scan)
			keys = append(keys, k)
			return err
		})
		return l.err
	})
	return keys, err
}

func findKey(ctx context.Context, tx *sql.Tx, id string) (KeyInfo, error) {
	if strings.HasPrefix(id, keyPrefix) {
		// Not repeated: error messages end up in logs, and this may be a secret.
		return KeyInfo{}, errors.New("that is a key, not the id of one: see sightline key list")
	}
	k, err := scanKey(tx.QueryRowContext(ctx, keysAndTeams+` where k.id = $1`, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return k, fmt.Errorf("no key %s: see sightline key list", shorten(id))
	}
	return k, err
}

// insertKey makes the key that an info describes, and gives the info its id.
func insertKey(ctx context.Context, tx *sql.Tx, info KeyInfo) (KeyInfo, string, error) {
	key := newKey()
	info.ID, info.Shown = newKeyID(), shownOf(key)
	info.CreatedAt, info.ExpiresAt = info.CreatedAt.UTC().Truncate(time.Second), info.ExpiresAt.UTC().Truncate(time.Second)
	expires := sql.NullInt64{Int64: info.ExpiresAt.Unix(), Valid: !info.ExpiresAt.IsZero()}
	_, err := tx.ExecContext(ctx,
		`insert into api_keys (id, team_id, name, hash, shown, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
		info.ID, info.TeamID, info.Name, keyHash(key), info.Shown, info.CreatedAt.Unix(), expires)
	if err == nil {
		err = sealKey(ctx, tx, info.ID)
	}
	return info, key, err
}

// revoke never dates a revocation before the creation, whatever the clock did.
func revoke(ctx context.Context, tx *sql.Tx, k KeyInfo) error {
	at := max(time.Now().Unix(), k.CreatedAt.Unix())
	if _, err := tx.ExecContext(ctx, `update api_keys set revoked_at = $1 where id = $2`, at, k.ID); err != nil {
		return err
	}
	return sealKey(ctx, tx, k.ID)
}

// removeKey removes a key that is damaged.
func removeKey(ctx context.Context, tx *sql.Tx, k KeyInfo) error {
	if _, err := tx.ExecContext(ctx, `delete from api_keys where id = $1`, k.ID); err != nil {
		return err
	}
	return logKey(ctx, tx, KeyRevoked, k, "it was damaged")
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
