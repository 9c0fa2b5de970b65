package ingest

import (
	"bytes"
	"encoding/json"
)

// language is how the records of one input are read. Some of the text can
// speak of the records after it, so a language belongs to the one goroutine
// that splits the input; the readers that it gives are free.
type language interface {
	// directive finds the first text that is no record but speaks of those after
	// it: the bytes before it, and its own. The text begins and ends where
	// records do.
	directive(text []byte) (before, size int, err error)
	// reader reads the records that come next.
	reader() reader
}

// reader reads records. It is used by several goroutines.
type reader interface {
	// record is the length of the first record, with its newline; 0 if the text
	// ends before it does.
	record(text []byte) int
	// cut is the length of all complete records.
	cut(text []byte) int
	// complete says whether a record that lacks its newline is surely complete,
	// also in a file that somebody is writing.
	complete(text []byte) bool
	// read says what becomes of a record.
	read(text []byte, d *desk, r *results)
}

// lines are records of one line each.
type lines struct{}

func (lines) record(text []byte) int { return bytes.IndexByte(text, '\n') + 1 }
func (lines) cut(text []byte) int    { return bytes.LastIndexByte(text, '\n') + 1 }
func (lines) complete([]byte) bool   { return false }

// objects are lines with one JSON object each, which shows when it is complete.
type objects struct{ lines }

func (objects) complete(text []byte) bool { return json.Valid(text) }

// plain is a language without directives.
type plain struct{ only reader }

func (p plain) directive(text []byte) (before, size int, err error) { return len(text), 0, nil }
func (p plain) reader() reader                                      { return p.only }
