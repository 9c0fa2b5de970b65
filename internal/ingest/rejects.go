package ingest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"
)

// rejectFile keeps wrong lines, one JSON object each, so that the input can be
// mended and loaded again, but not the addresses in them. It is made when the first line is wrong, or added
// to if its path is known.
type rejectFile struct {
	folder, kind string
	path         string
	none         bool // nothing is written
	file         *os.File
	buffer       *bufio.Writer
}

// rejectedLine is a line of a reject file. Input that is not text is in
// InputBytes, which JSON writes as base64.
type rejectedLine struct {
	File       string `json:"file"`
	Line       int64  `json:"line"`
	Reason     string `json:"reason"`
	Input      string `json:"input,omitempty"`
	InputBytes []byte `json:"inputBytes,omitempty"`
}

func (r *rejectFile) write(file string, line int64, text []byte, why rejection) error {
	if r.none {
		return nil
	}
	if r.file == nil {
		if err := r.create(); err != nil {
			return fmt.Errorf("cannot write the rejected lines: %w", err)
		}
	}
	reason := why.reason + why.explained()
	if r.kind != string(Answers) { // whose texts are nobody's address
		text, reason = withoutAddresses(text), string(withoutAddresses([]byte(reason)))
	}
	out := rejectedLine{File: file, Line: line, Reason: reason}
	if utf8.Valid(text) {
		out.Input = string(text)
	} else {
		out.InputBytes = text
	}
	object, err := json.Marshal(out)
	if err != nil {
		return err
	}
	if _, err := r.buffer.Write(append(object, '\n')); err != nil {
		return fmt.Errorf("cannot write the rejected lines: %w", err)
	}
	return nil
}

func (r *rejectFile) create() (err error) {
	if err := os.MkdirAll(r.folder, 0o750); err != nil {
		return err
	}
	if r.path != "" {
		r.file, err = os.OpenFile(r.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	} else {
		r.file, err = os.CreateTemp(r.folder, r.kind+"-"+time.Now().UTC().Format("20060102T150405")+"-*.ndjson")
	}
	if err != nil {
		return err
	}
	r.path = filepath.Clean(r.file.Name())
	r.buffer = bufio.NewWriter(r.file)
	return nil
}

// made returns the path of the file, if lines were written to it.
func (r *rejectFile) made() string {
	if r.file == nil {
		return ""
	}
	return r.path
}

func (r *rejectFile) close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.buffer.Flush(), r.file.Close())
}
