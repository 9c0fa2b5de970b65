package agents

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// columns are the columns of a table, in any order; those that only document a
// row may be left out.
type columns struct {
	required, optional []string
}

func (c columns) String() string {
	return strings.Join(c.required, ",") + " and, if you like, " + strings.Join(c.optional, ",")
}

// readRows hands the trimmed fields of every row below the header to add, in
// the order of the columns, empty where the table leaves the column out.
func readRows(name string, r io.Reader, c columns, add func(fields []string) error) error {
	reader := csv.NewReader(r)
	reader.FieldsPerRecord = -1 // Here the error can say more.
	var places []int
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			if places == nil {
				return fmt.Errorf("%s: empty, expected the columns %s", name, c)
			}
			return nil
		}
		line := 1
		if parse := new(csv.ParseError); errors.As(err, &parse) {
			line, err = parse.Line, parse.Err
		} else if err == nil {
			line, _ = reader.FieldPos(0)
			if places == nil {
				places, err = c.find(fields)
			} else {
				err = c.row(fields, places, add)
			}
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
}

// find returns, for each field of the header, which of our columns it is.
func (c columns) find(header []string) (places []int, err error) {
	// Spreadsheets put a byte order mark before the first column's name.
	header[0] = strings.TrimPrefix(header[0], "\uFEFF")
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		return nil, errors.New("the columns must be separated by commas")
	}
	all := slices.Concat(c.required, c.optional)
	for _, field := range header {
		place := slices.Index(all, strings.TrimSpace(field))
		if place < 0 {
			return nil, fmt.Errorf("there is no column %q: the columns are %s", field, c)
		}
		if slices.Contains(places, place) {
			return nil, fmt.Errorf("column %q is there twice", field)
		}
		places = append(places, place)
	}
	for place, column := range c.required {
		if !slices.Contains(places, place) {
			return nil, fmt.Errorf("column %q is missing: the columns are %s", column, c)
		}
	}
	return places, nil
}

func (c columns) row(fields []string, places []int, add func([]string) error) error {
	if len(fields) != len(places) {
		return fmt.Errorf("%d fields, but the first line has %d: put a field with a comma in it between double quotes",
			len(fields), len(places))
	}
	ordered := make([]string, len(c.required)+len(c.optional))
	for i, place := range places {
		ordered[place] = strings.TrimSpace(fields[i])
	}
	return add(ordered)
}
