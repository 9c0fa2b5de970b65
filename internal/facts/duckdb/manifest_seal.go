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
// manifest has sums of what it says. A manifest of the format before has none.

// addSums brings the tables of the format before to today's.
const addSums = `alter table state add column files_sum text not null default '';
	alter table state add column inputs_sum text not null default ''`

// seal writes the sums at the end of a change.
func seal(ctx context.Context, tx *sql.Tx, inputs inputsSum) error {
	sum, err := sumFiles(ctx, tx)
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

// sumFiles is the sum of the state and the files, as they are in the tables.
func sumFiles(ctx context.Context, tx *sql.Tx) (string, error) {
	hash := sha256.New()
	for _, query := range []string{
		"select version, next_answer_key, '', '', '', '', '', '', '', '', '', '' from state",
		`select name, kind, first_week, last_week, row_count, id_count, newest, bytes, sha256, added_version,
			coalesce(removed_version, 'null'), coalesce(removed_at, 'null') from files order by name`,
	} {
		rows, err := tx.QueryContext(ctx, query)
		if err != nil {
			return "", err
		}
		err = facts.Drain(rows, func(scan facts.Scan) error {
			var texts [12]string
			into := make([]any, len(texts))
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
	want, sealed, err := m.sealOf(ctx, tx, "files_sum")
	if err != nil || !sealed {
		return err
	}
	sum, err := sumFiles(ctx, tx)
	if err == nil && sum != want {
		err = m.damaged()
	}
	return err
}

// checkInputs compares the sum of the inputs.
func (m *manifest) checkInputs(ctx context.Context, tx *sql.Tx, rows []inputRow) error {
	want, sealed, err := m.sealOf(ctx, tx, "inputs_sum")
	if sum := sumInputs(rows); err == nil && sealed && hex.EncodeToString(sum[:]) != want {
		err = m.damaged()
	}
	return err
}

// sealOf reads one of the sums, if the format has them. Another program may have
// changed the format since the manifest was opened.
func (m *manifest) sealOf(ctx context.Context, tx *sql.Tx, column string) (sum string, sealed bool, err error) {
	var version int
	if err := tx.QueryRowContext(ctx, "pragma user_version").Scan(&version); err != nil {
		return "", false, err
	}
	switch version {
	case manifestVersion:
		err = tx.QueryRowContext(ctx, "select "+column+" from state").Scan(&sum)
		return sum, true, err
	case unsealedVersion:
		return "", false, nil
	}
	if version > manifestVersion {
		return "", false, m.newer(version)
	}
	return "", false, m.damaged()
}

func (m *manifest) damaged() error {
	return fmt.Errorf("manifest of the facts %s: it is damaged: %s", m.path, restoreAll)
}
