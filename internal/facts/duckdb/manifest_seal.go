package duckdb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"

	"github.com/sightline-hq/sightline/internal/facts"
)

// SQLite does not notice a bit that flips in a row, and a row of the manifest
// that names the wrong week would make wrong reports of whole files. So the
// manifest has sums of what it says. Whoever reads or sums rows of files does so
// in the table itself (not indexed): an index has copies of what is in it. A manifest of the first format has none.

// addSums, addMarks and addTables each bring the tables of a format to the next.
const (
	addSums = `alter table state add column files_sum text not null default '';
		alter table state add column inputs_sum text not null default ''`
	addMarks = `alter table state add column secret text not null default '';
		alter table files add column marked integer not null default 0`
	addTables = `alter table files rename column marked to tables`
)

// formatOf is the format of a manifest. Another program may change it at any time.
func formatOf(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (version int, err error) {
	err = db.QueryRowContext(ctx, "pragma user_version").Scan(&version)
	return version, err
}

// seal writes the sums at the end of a change.
func seal(ctx context.Context, tx *sql.Tx, inputs inputsSum) error {
	sum, err := sumFiles(ctx, tx, manifestVersion)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "update state set files_sum = ?, inputs_sum = ?", sum, hex.EncodeToString(inputs[:]))
	return err
}

// addToSeal seals a change that has added inputs.
func addToSeal(ctx context.Context, tx *sql.Tx, added inputsSum) error {
	var text string
	if err := tx.QueryRowContext(ctx, "select inputs_sum from state").Scan(&text); err != nil {
		return err
	}
	var before inputsSum
	if n, err := hex.Decode(before[:], []byte(text)); err != nil || n != len(before) {
		return fmt.Errorf("the sum of the inputs is damaged: %s", restoreAll)
	}
	return seal(ctx, tx, before.add(added))
}

const (
	sumOfState = "select version, next_answer_key, secret, '', '', '', '', '', '', '', '', '', '' from state"
	sumOfFiles = `select name, kind, first_week, last_week, row_count, id_count, newest, bytes, sha256, added_version,
		coalesce(removed_version, 'null'), coalesce(removed_at, 'null'), %s from files not indexed order by name`
)

// What is summed of the state and of the files, by format: as many columns of each.
var sumOfFormat = map[int]struct {
	columns int
	queries [2]string
}{
	unmarkedVersion: {12, [2]string{
		"select version, next_answer_key, '', '', '', '', '', '', '', '', '', '' from state",
		`select name, kind, first_week, last_week, row_count, id_count, newest, bytes, sha256, added_version,
			coalesce(removed_version, 'null'), coalesce(removed_at, 'null') from files not indexed order by name`,
	}},
	markedVersion:   {13, [2]string{sumOfState, fmt.Sprintf(sumOfFiles, "marked")}},
	manifestVersion: {13, [2]string{sumOfState, fmt.Sprintf(sumOfFiles, "tables")}},
}

// sumFiles is the sum of the state and the files, as they are in the tables.
func sumFiles(ctx context.Context, tx *sql.Tx, format int) (string, error) {
	hash, of := sha256.New(), sumOfFormat[format]
	for _, query := range of.queries {
		rows, err := tx.QueryContext(ctx, query)
		if err != nil {
			return "", err
		}
		err = facts.Drain(rows, func(scan facts.Scan) error {
			texts, into := make([]string, of.columns), make([]any, of.columns)
			for i := range texts {
				into[i] = &texts[i]
			}
			err := scan(into...)
			fmt.Fprintf(hash, "%q\n", texts)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// checkSeal compares the sum of the state and the files.
func (m *manifest) checkSeal(ctx context.Context, tx *sql.Tx) error {
	want, format, err := m.sealOf(ctx, tx, "files_sum")
	if err != nil || format == unsealedVersion {
		return err
	}
	sum, err := sumFiles(ctx, tx, format)
	if err == nil && sum != want {
		err = m.damaged()
	}
	return err
}

// checkInputs compares the sum of the inputs.
func (m *manifest) checkInputs(ctx context.Context, tx *sql.Tx, rows []inputRow) error {
	want, format, err := m.sealOf(ctx, tx, "inputs_sum")
	if err != nil || format == unsealedVersion {
		return err
	}
	if sum := sumInputs(rows, format); hex.EncodeToString(sum[:]) != want {
		return m.damaged()
	}
	return nil
}

// checkAll compares both.
func (m *manifest) checkAll(ctx context.Context, tx *sql.Tx) error {
	if err := m.checkSeal(ctx, tx); err != nil {
		return err
	}
	rows, err := readInputs(ctx, tx)
	if err != nil {
		return err
	}
	return m.checkInputs(ctx, tx, rows)
}

// sealOf reads one of the sums, if the format has them, and the format.
func (m *manifest) sealOf(ctx context.Context, tx *sql.Tx, column string) (sum string, format int, err error) {
	format, err = formatOf(ctx, tx)
	switch {
	case err != nil || format == unsealedVersion:
		return "", format, err
	case format > manifestVersion:
		return "", format, m.newer(format)
	case format < unsealedVersion:
		return "", format, m.damaged()
	}
	err = tx.QueryRowContext(ctx, "select "+column+" from state").Scan(&sum)
	return sum, format, err
}

func (m *manifest) damaged() error {
	return fmt.Errorf("manifest of the facts %s: it is damaged: %s", m.path, restoreAll)
}
