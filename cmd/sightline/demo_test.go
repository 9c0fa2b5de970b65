package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/sightline-hq/sightline/internal/ingest"
)

// A demo that is started again may find that nothing has happened since.
func TestADemoToWhichNothingIsAddedStarts(t *testing.T) {
	var said bytes.Buffer
	a := &app{data: t.TempDir(), getenv: func(string) string { return "" }, stdout: io.Discard, stderr: &said}
	if err := a.loadMade(t.Context(), ingest.Answers, "Making", func(io.Writer) error { return nil }); err != nil || said.Len() > 0 {
		t.Errorf("%v, and it says %q", err, said.String())
	}
}
