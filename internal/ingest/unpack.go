package ingest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// startBytes is how much of an input is looked at to find out what it is.
const startBytes = 256 << 10

// content is what is in an input, unpacked.
type content struct {
	io.Reader
	start []byte // the first bytes, at most startBytes
	close func()
}

func (c *content) Close() { c.close() }

// content reads the input from its beginning. Files that were compressed with
// gzip or zstd are recognised by their first bytes, whatever they are called.
func (in *input) content(ctx context.Context) (*content, error) {
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	packed := bufio.NewReaderSize(&contextReader{ctx, in.file}, 1<<18)
	magic, err := packed.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	c := &content{Reader: packed, close: func() {}}
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		unpacked, err := gzip.NewReader(packed)
		if err != nil {
			return nil, unpacking(err)
		}
		c.Reader = unpacked
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		// One window of this size is all the memory that a crafted file gets.
		unpacked, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, unpacking(err)
		}
		c.Reader, c.close = unpacked, unpacked.Close
	}
	buffered := bufio.NewReaderSize(c.Reader, startBytes)
	if c.start, err = buffered.Peek(startBytes); err != nil && !errors.Is(err, io.EOF) {
		c.Close()
		return nil, unpacking(err)
	}
	c.Reader = buffered
	return c, nil
}

// unpacking says what to do about a compressed file that cannot be read.
func unpacking(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the compressed file is cut off: copy it again, nothing of it was loaded")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, zstd.ErrCRCMismatch),
		errors.Is(err, zstd.ErrMagicMismatch):
		return fmt.Errorf("the compressed file is damaged: copy it again, nothing of it was loaded (%w)", err)
	}
	return err
}
