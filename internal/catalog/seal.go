package catalog

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// SQLite does not notice a bit that flips in a row, and PostgreSQL only if its
// cluster was made to. One in the wrong place would bring a revoked key back, or
// give a product to another team. So every key has a seal, the SHA-256 of its row,
// and teams, products, websites, labels and prompts have one together. They are
// against damage: whoever may write to the database can write seals, too.

// sealsVersion is the version of the tables that brought them.
const sealsVersion = 4

// sealAll seals a catalog of before there were seals, as it is.
func sealAll(ctx context.Context, tx *sql.Tx) error {
	l := &loader{ctx: ctx, tx: tx}
	var rows []keyRow
	l.keyRows(func(r keyRow) { rows = append(rows, r) })
	if l.err != nil {
		return l.err
	}
	for _, r := range rows {
		if err := r.reseal(ctx, tx); err != nil {
			return err
		}
	}
	return sealWorkspace(ctx, tx)
}

// sealKey seals a key that was made or changed in the same transaction.
func sealKey(ctx context.Context, tx *sql.Tx, id string) error {
	var r keyRow
	if err := tx.QueryRowContext(ctx, `select `+keyColumns+` from api_keys k where k.id = $1`, id).Scan(r.into()...); err != nil {
		return err
	}
	return r.reseal(ctx, tx)
}

func (r *keyRow) reseal(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `update api_keys set seal = $1 where id = $2`, r.sum(), r.id.String)
	return err
}

// sum is what the seal of a row has to be.
func (r *keyRow) sum() string {
	hash := sha256.New()
	for _, v := range r.sealed() {
		fmt.Fprintf(hash, "%t %+q\n", v.Valid, v.String)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// whole tells whether a row is what was written.
func (r *keyRow) whole() bool { return r.seal.String == r.sum() }

// sealWorkspace seals all but the keys, after a change to it.
func sealWorkspace(ctx context.Context, tx *sql.Tx) error {
	st, err := loadState(ctx, tx)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `update meta set workspace_sum = $1`, st.sum())
	return err
}

// sum is the sum of all that a workspace can say, retired or not, in an order
// that no database has a say in.
func (st *state) sum() string {
	all := slices.Concat(lines(st.teams), lines(st.products), lines(st.websites), lines(st.labels), lines(st.prompts))
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	return hex.EncodeToString(sum[:])
}

func lines[K comparable, R record[K, R]](t table[K, R]) (all []string) {
	for _, r := range t.active {
		all = append(all, r.line())
	}
	for _, r := range t.retired {
		all = append(all, "retired "+r.line())
	}
	return all
}

func (st *state) whole() bool { return st.sealed == st.sum() }

// misread is a value that is not of the kind that its column is for.
type misread struct{ error }

func (m misread) Unwrap() error { return m.error }

// state reads the catalog, as far as it can be read.
func (s *Store) state(ctx context.Context, tx *sql.Tx) (*state, error) {
	st, err := loadState(ctx, tx)
	var m misread
	if errors.As(err, &m) && ctx.Err() == nil {
		return nil, s.damaged(m.Error())
	}
	return st, err
}

// wholeState refuses a catalog that is not what was written, but for its keys.
func (s *Store) wholeState(ctx context.Context, tx *sql.Tx) (*state, error) {
	st, err := s.state(ctx, tx)
	if err == nil && !st.whole() {
		err = s.mixedUp()
	}
	return st, err
}

func (s *Store) mixedUp() error {
	return fmt.Errorf("catalog %s: what it says of teams, products, websites, labels or prompts is damaged: "+
		"put it right with 'sightline apply workspace.yaml', the file that was applied last, or restore a backup", s.Place())
}

// damagedKey says what to do about a key that is refused.
func damagedKey(id string) error {
	return fmt.Errorf("key %s is damaged, and no longer works: remove it with 'sightline key revoke %[1]s' "+
		"and make a new one with 'sightline key create', or restore a backup", printable(id))
}

// printable keeps what a damaged id may have in it from acting on a terminal.
func printable(id string) string {
	if quoted := fmt.Sprintf("%q", id); quoted != `"`+id+`"` {
		return quoted
	}
	return id
}
