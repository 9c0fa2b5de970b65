package catalog

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"strconv"
	"time"
)

// keyRow is a row of api_keys as texts: so a row can be read however damaged it
// is, and told from what it was.
type keyRow struct {
	id, team, name, hash, shown, created, expires, revoked, replacedBy sql.NullString
	seal                                                               sql.NullString
}

const keyColumns = `k.id, k.team_id, k.name, k.hash, k.shown, k.created_at, k.expires_at, k.revoked_at, k.replaced_by, k.seal`

// into are the places of keyColumns.
func (r *keyRow) into() []any {
	return []any{&r.id, &r.team, &r.name, &r.hash, &r.shown, &r.created, &r.expires, &r.revoked, &r.replacedBy, &r.seal}
}

// sealed is all that the seal is about.
func (r *keyRow) sealed() []sql.NullString {
	return []sql.NullString{r.id, r.team, r.name, r.hash, r.shown, r.created, r.expires, r.revoked, r.replacedBy}
}

// record is what a server has to know of a key. It is false for one that is damaged.
func (r *keyRow) record() (k keyRecord, ok bool) {
	sum, err := hex.DecodeString(r.hash.String)
	if !r.whole() || err != nil || len(sum) != sha256.Size {
		return k, false
	}
	k = keyRecord{id: r.id.String, team: r.team.String, revoked: r.revoked.Valid}
	copy(k.hash[:], sum)
	if r.expires.Valid {
		k.expires, err = strconv.ParseInt(r.expires.String, 10, 64)
	}
	return k, err == nil
}

// info is what can be told about a key.
func (r *keyRow) info() KeyInfo {
	return KeyInfo{
		ID: r.id.String, TeamID: r.team.String, Name: r.name.String, Shown: r.shown.String, ReplacedBy: r.replacedBy.String,
		CreatedAt: second(r.created), ExpiresAt: second(r.expires), RevokedAt: second(r.revoked), Damaged: !r.whole(),
	}
}

// second is a time, zero if there is none.
func second(text sql.NullString) time.Time {
	n, err := strconv.ParseInt(text.String, 10, 64)
	if !text.Valid || err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// keyRows reads all keys.
func (l *loader) keyRows(each func(keyRow)) {
	l.each(`select `+keyColumns+` from api_keys k`, func(scan scan) error {
		var r keyRow
		err := scan(r.into()...)
		each(r)
		return err
	})
}

const keysAndTeams = `select ` + keyColumns + `, coalesce(t.retired, true) from api_keys k left join teams t on t.id = k.team_id`

// scanKey reads a row of keysAndTeams.
func scanKey(scan scan) (KeyInfo, error) {
	var r keyRow
	var retired bool
	err := scan(append(r.into(), &retired)...)
	k := r.info()
	k.TeamRetired = retired
	return k, err
}
