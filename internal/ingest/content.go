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
	kind  string // what was unpacked, if people should know
	ahead *bufio.Reader
	whole bool // a last line without a newline is complete
	close func()
}

func (c *content) Close() { c.close() }

// The first bytes of files that are not text.
const (
	gzipMagic    = "\x1f\x8b"
	zstdMagic    = "\x28\xb5\x2f\xfd"
	parquetMagic = "PAR1"
)

// packed says whether a file is to be unpacked, by its first bytes.
func packed(magic []byte) bool {
	return bytes.HasPrefix(magic, []byte(gzipMagic)) || bytes.HasPrefix(magic, []byte(zstdMagic)) || bytes.HasPrefix(magic, []byte(parquetMagic))
}

// content reads the input from its beginning, and no further than it went when
// it was opened. Files that were compressed with gzip or zstd are recognised by
// their first bytes, whatever they are called; so is Parquet, which is read as
// NDJSON.
func (in *input) content(ctx context.Context, p *progress) (*content, error) {
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	raw := bufio.NewReaderSize(&watched{ctx, io.LimitReader(in.file, in.size), p}, 1<<18)
	magic, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	c := &content{Reader: raw, whole: in.whole, close: func() {}}
	switch {
	case bytes.HasPrefix(magic, []byte(gzipMagic)):
		unpacked, err := gzip.NewReader(raw)
		if err != nil {
			return nil, unpacking(err)
		}
		c.Reader = unpacked
	case bytes.HasPrefix(magic, []byte(zstdMagic)):
		// One window of this size is all the memory that a crafted file gets.
		unpacked, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, unpacking(err)
		}
		c.Reader, c.close = unpacked, unpacked.Close
	case bytes.HasPrefix(magic, []byte(parquetMagic)):
		if c.Reader, c.close, err = in.parquet(ctx, p); err != nil {
			return nil, err
		}
		c.kind = "Parquet"
	}
	buffered := bufio.NewReaderSize(c.Reader, startBytes)
	if c.start, err = buffered.Peek(startBytes); err != nil && !errors.Is(err, io.EOF) {
		c.Close()
		return nil, unpacking(err)
	}
	if bytes.HasPrefix(c.start, []byte(byteOrderMark)) {
		buffered.Discard(len(byteOrderMark))
		c.start = c.start[len(byteOrderMark):]
	}
	c.Reader, c.ahead = buffered, buffered
	return c, notText(c.start)
}

// betweenRecords says whether a record may end where reading stopped, given the
// byte before: at a newline, before one, or at the end.
func (c *content) betweenRecords(last byte) bool {
	next, err := c.ahead.Peek(1)
	return last == '\n' || err != nil || next[0] == '\n' || next[0] == '\r'
}

const byteOrderMark = "\xef\xbb\xbf"

// unpacking says what to do about a compressed file that cannot be read.
func unpacking(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the compressed file is cut off: nothing of it was loaded; if it is still being written, load it again later, else copy it again")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, zstd.ErrCRCMismatch),
		errors.Is(err, zstd.ErrMagicMismatch):
		return fmt.Errorf("the compressed file is damaged: copy it again, nothing of it was loaded (%w)", err)
	}
	return err
}

// notText recognises files that people name by mistake.
func notText(start []byte) error {
	const utf16 = "the file is UTF-16: convert it first, for example with iconv -f UTF-16 -t UTF-8"
	for _, known := range []struct{ magic, reason string }{
		{"PK\x03\x04", "the file is a zip archive, or an Excel workbook: unpack it, or save it as CSV"},
		{parquetMagic, "there is a compressed Parquet file inside: unpack it first"},
		{"\xff\xfe", utf16},
		{"\xfe\xff", utf16},
	} {
		if bytes.HasPrefix(start, []byte(known.magic)) {
			return errors.New(known.reason)
		}
	}
	// Without the mark at its beginning, UTF-16 shows by every other byte.
	if n := min(len(start), 1024); bytes.Count(start[:n], []byte{0})*3 > n {
		return errors.New("the file is not text: many of its bytes are zero; if it is UTF-16, convert it first, " +
			"for example with iconv -f UTF-16LE -t UTF-8")
	}
	return nil
}

// watched ends reading when the context ends, and tells how far it went.
type watched struct {
	ctx      context.Context
	from     io.Reader
	progress *progress // or nil
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(p)
	if w.progress != nil {
		w.progress.bytes.Add(int64(n))
	}
	return n, err
}
