package export

import (
	"io"

	"github.com/sightline-hq/sightline/api"
)

// Format is a form in which a table can be had beside JSON.
type Format struct {
	Media      string // as a caller asks for it
	Parameters string // what the Content-Type says besides
	Extension  string // of a file
	writer     func(io.Writer, []Column) Writer
}

// The formats, in the order of preference among equals.
var (
	CSV     = &Format{api.MediaCSV, "; charset=utf-8; header=present", ".csv", newCSVTable}
	NDJSON  = &Format{api.MediaNDJSON, "", ".ndjson", newNDJSONTable}
	Parquet = &Format{api.MediaParquet, "", ".parquet", newParquet}

	Formats = []*Format{CSV, NDJSON, Parquet}
)

// ContentType is what a response says of its body.
func (f *Format) ContentType() string { return f.Media + f.Parameters }

// Writer writes the rows of a table.
type Writer interface {
	// Row writes a row: a value for each column, or nil where there is none. It
	// keeps nothing of it.
	Row(values []any) error
	// Close writes what comes after the last row.
	Close() error
}

// Write writes a whole table.
func (f *Format) Write(w io.Writer, t Table) error {
	out := f.writer(w, t.Columns)
	if err := t.Each(out.Row); err != nil {
		return err
	}
	return out.Close()
}
