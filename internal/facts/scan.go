package facts

import (
	"database/sql"
	"errors"
	"fmt"
	"math/big"
)

// Int reads a whole number, whatever type the engine gives to a sum or count.
type Int int64

// Scan implements sql.Scanner. NULL, as the sum of no rows gives it, is 0.
func (n *Int) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*n = 0
	case int64:
		*n = Int(v)
	case int32:
		*n = Int(v)
	case int8:
		*n = Int(v)
	case int16:
		*n = Int(v)
	case uint8:
		*n = Int(v)
	case uint16:
		*n = Int(v)
	case uint32:
		*n = Int(v)
	case uint64:
		*n = Int(v)
	case *big.Int:
		if !v.IsInt64() {
			return fmt.Errorf("number %s does not fit", v)
		}
		*n = Int(v.Int64())
	default:
		return fmt.Errorf("cannot read %T as a whole number", value)
	}
	return nil
}

// Drain calls row for each row, closes the rows, and as its last act asks for
// the error: a cut stream is an error, not a short report.
func Drain(rows *sql.Rows, row func(scan Scan) error) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
