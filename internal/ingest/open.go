package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Stdin is where "-" is read from.
type Stdin interface{ io.Reader }

// settled is how long nobody must have written to a file for its last line to
// count although it has no newline.
const settled = time.Minute

// input is a file that can be read more than once, as far as it went when it
// was opened.
type input struct {
	name  string
	file  *os.File
	size  int64 // of the file
	whole bool  // nobody is writing to it

	source Source
}

// Open opens all files before anything is loaded. It needs no loader, so that
// a pipe on which nothing comes holds up no other load.
func (j *Job) Open(ctx context.Context) error {
	if j.Piece != nil {
		return j.openPiece()
	}
	names, err := expand(j.Files)
	if err != nil {
		return err
	}
	for _, name := range names {
		in, err := j.openOne(ctx, name)
		if err != nil {
			return err
		}
		if in.size == 0 {
			in.file.Close()
			if j.Source != Logs {
				return fmt.Errorf("%s: the file is empty: there is nothing to load", name)
			}
			j.empty = append(j.empty, in.name) // a log that was just rotated
			continue
		}
		in.source = j.Source
		j.inputs = append(j.inputs, in)
	}
	return nil
}

// openPiece reads a piece of a stream. It stays open: it may be read again.
func (j *Job) openPiece() error {
	magic := make([]byte, 4)
	if n, _ := j.Piece.file.ReadAt(magic, 0); packed(magic[:n]) {
		return errors.New("the stream is compressed: unpack it on the way, for example with zcat")
	}
	j.inputs = []*input{{name: "standard input", file: j.Piece.file, size: j.Piece.size, whole: true, source: j.Source}}
	return nil
}

// Close closes the files.
func (j *Job) Close() {
	if j.Piece != nil {
		return
	}
	for _, in := range j.inputs {
		in.file.Close()
	}
}

// expand replaces patterns by the names of files: cron, systemd and quotes
// leave that to us.
func expand(patterns []string) (names []string, err error) {
	for _, pattern := range patterns {
		if !strings.ContainsAny(pattern, "*?[") {
			names = append(names, pattern)
			continue
		}
		if _, err := os.Lstat(pattern); err == nil {
			names = append(names, pattern)
			continue
		}
		found, err := filepath.Glob(pattern)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s is neither a file nor a pattern: %w", pattern, err)
		case len(found) == 0:
			if _, err := os.ReadDir(filepath.Dir(pattern)); errors.Is(err, fs.ErrPermission) {
				return nil, fmt.Errorf("no file matches %s: %w", pattern, err)
			}
			return nil, fmt.Errorf("no file matches %s", pattern)
		}
		names = append(names, found...)
	}
	return names, nil
}

// openOne opens a file, and gives up when the context ends: opening and reading
// a pipe can take for ever, and nothing else would end it.
func (j *Job) openOne(ctx context.Context, name string) (*input, error) {
	type result struct {
		in  *input
		err error
	}
	done := make(chan result, 1)
	go func() {
		in, err := j.openNow(name)
		done <- result{in, err}
	}()
	select {
	case r := <-done:
		return r.in, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (j *Job) openNow(name string) (*input, error) {
	if name == "-" {
		return j.spool("standard input", j.Stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, errors.Join(err, f.Close())
	case info.IsDir():
		return nil, errors.Join(fmt.Errorf("%s is a directory: name the files in it", name), f.Close())
	case !info.Mode().IsRegular():
		defer f.Close()
		return j.spool(name, f)
	}
	return newInput(name, f, time.Since(info.ModTime()) > settled)
}

// newInput notes how far a file goes now.
func newInput(name string, f *os.File, whole bool) (*input, error) {
	in := &input{name: name, file: f, whole: whole}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	in.size = info.Size()
	magic := make([]byte, 4)
	if n, _ := f.ReadAt(magic, 0); packed(magic[:n]) {
		in.whole = true
	}
	return in, nil
}

// spool copies what can be read only once into a file that can be read twice.
func (j *Job) spool(name string, from io.Reader) (*input, error) {
	f, err := unnamed(j.Spool)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, from); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot read %s: %w", name, err), f.Close())
	}
	return newInput(name, f, true)
}
