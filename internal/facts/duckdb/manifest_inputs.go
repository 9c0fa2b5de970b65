package duckdb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// inputRow is a row of the table of inputs.
type inputRow struct {
	kind, sha256, name            string
	bytes, lines, version, loaded int64
	marks                         string // JSON
}

// insertInputs adds inputs, and returns their sum.
func insertInputs(ctx context.Context, tx *sql.Tx, inputs []facts.Input, version, now int64) (sum inputsSum, err error) {
	for _, in := range inputs {
		marks, err := json.Marshal(in.Marks)
		if err != nil {
			return sum, err
		}
		r := inputRow{string(in.Kind), in.SHA256, in.Name, in.Bytes, in.Lines, version, now, string(marks)}
		if _, err := tx.ExecContext(ctx, `insert into inputs (kind, sha256, name, bytes, lines, version, loaded_at, marks)
			values (?, ?, ?, ?, ?, ?, ?, ?)`, r.kind, r.sha256, r.name, r.bytes, r.lines, r.version, r.loaded, r.marks); err != nil {
			return sum, err
		}
		sum = sum.add(sumInputs([]inputRow{r}, manifestVersion))
	}
	return sum, nil
}

func readInputs(ctx context.Context, tx *sql.Tx) (all []inputRow, err error) {
	rows, err := tx.QueryContext(ctx, "select kind, sha256, name, bytes, lines, version, loaded_at, marks from inputs order by rowid")
	if err != nil {
		return nil, err
	}
	err = facts.Drain(rows, func(scan facts.Scan) error {
		var r inputRow
		err := scan(&r.kind, &r.sha256, &r.name, &r.bytes, &r.lines, &r.version, &r.loaded, &r.marks)
		all = append(all, r)
		return err
	})
	return all, err
}

// inputsSum is the exclusive or of the sums of rows, so that adding one needs
// none of the others.
type inputsSum [sha256.Size]byte

func (s inputsSum) add(more inputsSum) inputsSum {
	for i := range s {
		s[i] ^= more[i]
	}
	return s
}

func sumInputs(rows []inputRow, format int) (sum inputsSum) {
	for _, r := range rows {
		sum = sum.add(sha256.Sum256(r.text(format)))
	}
	return sum
}

// text is what is summed of a row. The formats before wrote large numbers all
// alike, so that damage to them went unnoticed.
func (r inputRow) text(format int) []byte {
	if format <= unmarkedVersion {
		return fmt.Appendf(nil, "%q", []any{r.kind, r.sha256, r.name, r.bytes, r.lines, r.version, r.loaded, r.marks})
	}
	return fmt.Appendf(nil, "%+q %d", []string{r.kind, r.sha256, r.name, r.marks}, []int64{r.bytes, r.lines, r.version, r.loaded})
}

// loaded lists the inputs of a kind.
func (m *manifest) loaded(ctx context.Context, kind facts.Kind) (inputs []facts.Input, err error) {
	var rows []inputRow
	err = m.tx(ctx, func(tx *sql.Tx) error {
		if rows, err = readInputs(ctx, tx); err != nil {
			return err
		}
		return m.checkInputs(ctx, tx, rows)
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.kind != string(kind) {
			continue
		}
		in := facts.Input{Kind: kind, SHA256: r.sha256, Name: r.name, Bytes: r.bytes, Lines: r.lines, At: time.Unix(r.loaded, 0)}
		if err := json.Unmarshal([]byte(r.marks), &in.Marks); err != nil {
			return nil, m.damaged()
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}
