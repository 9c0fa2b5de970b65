package parquet

import (
	"database/sql"
	"database/sql/driver"

	duck "github.com/duckdb/duckdb-go/v2"
)

const receiverName = "sightline_take"

// receiver is the function that the engine calls with each row. It implements
// duck.ScalarFunc.
type receiver struct {
	config duck.ScalarFuncConfig
	take   func(values []driver.Value) error
}

func (r *receiver) register(conn *sql.Conn) error {
	anything, err := duck.NewTypeInfo(duck.TYPE_ANY)
	if err != nil {
		return err
	}
	truth, err := duck.NewTypeInfo(duck.TYPE_BOOLEAN)
	if err != nil {
		return err
	}
	// It is called for what it does, so no call may be saved; and with nulls.
	r.config = duck.ScalarFuncConfig{VariadicTypeInfo: anything, ResultTypeInfo: truth, Volatile: true, SpecialNullHandling: true}
	return duck.RegisterScalarUDF(conn, receiverName, r)
}

// Config implements duck.ScalarFunc.
func (r *receiver) Config() duck.ScalarFuncConfig { return r.config }

// Executor implements duck.ScalarFunc.
func (r *receiver) Executor() duck.ScalarFuncExecutor {
	return duck.ScalarFuncExecutor{RowExecutor: func(values []driver.Value) (any, error) {
		return true, r.take(values)
	}}
}
