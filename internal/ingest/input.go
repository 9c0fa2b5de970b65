package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Stdin is where "-" is read from.
type Stdin interface{ io.Reader }

// input is a file that was read once for its checksum and will be read again
// for its lines, exactly as many bytes as were summed.
type input struct {
	name   string
	file   *os.File
	size   int64
	sha256 string
}

func closeAll(inputs []*input) {
	for _, in := range inputs {
		in.file.Close()
	}
}

// Open checks and sums all files before anything is loaded. It needs no loader,
// so that a pipe on which nothing comes holds up no other load.
func (j *Job) Open(ctx context.Context) error {
	for _, name := range j.Files {
		in, err := j.openOne(ctx, name)
		if err != nil {
			return err
		}
		j.inputs = append(j.inputs, in)
		if err := in.sum(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Close closes the files.
func (j *Job) Close() { closeAll(j.inputs) }

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
	return &input{name: name, file: f}, nil
}

// spool copies what can be read only once into a file that can be read twice.
// The file has no name from the start, so nothing is left of it, whatever
// happens.
func (j *Job) spool(name string, from io.Reader) (*input, error) {
	f, err := os.CreateTemp(j.Spool, "stage-input-*")
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := io.Copy(f, from); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot read %s: %w", name, err), f.Close())
	}
	return &input{name: name, file: f}, nil
}

// sum reads the content once, unpacked, and refuses what is not lines of text.
// The content is what makes an input known, so that a log is recognised again
// after it was rotated and compressed.
func (in *input) sum(ctx context.Context) error {
	content, err := in.content(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	if err := notText(content.start); err != nil {
		return err
	}
	hash := sha256.New()
	if in.size, err = io.Copy(hash, content); err != nil {
		return unpacking(err)
	}
	if in.size == 0 {
		return errors.New("the file is empty: there is nothing to load")
	}
	in.sha256 = hex.EncodeToString(hash.Sum(nil))
	return nil
}

// notText recognises by their first bytes files that people name by mistake.
func notText(start []byte) error {
	for _, known := range []struct{ magic, reason string }{
		{"PK\x03\x04", "the file is a zip archive: unpack it first"},
		{"\xff\xfe", "the file is UTF-16: convert it first, for example with iconv -f UTF-16 -t UTF-8"},
		{"\xfe\xff", "the file is UTF-16: convert it first, for example with iconv -f UTF-16 -t UTF-8"},
		{"PAR1", "the file is Parquet: one JSON object a line is expected"},
	} {
		if bytes.HasPrefix(start, []byte(known.magic)) {
			return errors.New(known.reason)
		}
	}
	return nil
}

// contextReader ends reading when the context ends.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
