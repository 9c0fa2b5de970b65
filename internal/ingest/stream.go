package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Stream loads what comes on a pipe, piece by piece: every so often, the lines
// that are complete are published. What has come is lost only if the process
// is killed before that.
type Stream struct {
	From  io.Reader
	Every time.Duration
	Spool string // folder for what has come and is not published
	Keep  string // folder for what could not be published at the end
	// Load runs a job on a piece. It may be called again with the same piece if
	// it failed; an error that wraps ErrRejected ends the stream.
	Load func(ctx context.Context, piece *Piece) error
	// OnError is told why a piece could not be loaded yet.
	OnError func(error)

	mu   sync.Mutex
	file *os.File // has no name
	size int64
	ends int64 // after the last newline
}

// Piece is a part of a stream, of whole lines.
type Piece struct {
	file *os.File
	size int64
}

// Run returns when the stream has ended or the context has, and everything
// that was complete is published.
func (s *Stream) Run(ctx context.Context) (err error) {
	if s.file, err = unnamed(s.Spool); err != nil {
		return err
	}
	defer func() { s.file.Close() }()
	ended := make(chan error, 1)
	go func() { ended <- s.copy() }()
	tick := time.NewTicker(s.Every)
	defer tick.Stop()
	var piece *Piece
	for {
		var end bool
		var cause error
		select {
		case <-tick.C:
		case cause = <-ended:
			end = true
		case <-ctx.Done():
			end = true
		}
		piece, err = s.publish(context.WithoutCancel(ctx), piece, end && cause == nil && ctx.Err() == nil)
		switch {
		case errors.Is(err, ErrRejected), end:
			return errors.Join(cause, s.keep(piece, err))
		case err != nil:
			s.OnError(err)
		}
	}
}

// publish loads the piece that failed before, if any, and then what has come
// until now. It returns the piece that is still to be loaded.
func (s *Stream) publish(ctx context.Context, piece *Piece, whole bool) (*Piece, error) {
	if piece != nil {
		if err := s.Load(ctx, piece); err != nil {
			return piece, err
		}
		piece.file.Close()
	}
	piece, err := s.cut(whole)
	if err != nil || piece == nil {
		return nil, err
	}
	if err := s.Load(ctx, piece); err != nil {
		return piece, err
	}
	return nil, piece.file.Close()
}

// keep saves what could not be published under a name.
func (s *Stream) keep(piece *Piece, err error) error {
	rest := io.MultiReader()
	if piece != nil {
		rest = io.NewSectionReader(piece.file, 0, piece.size)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if piece == nil && s.size == 0 {
		return err
	}
	name := fmt.Sprintf("unpublished-%s-*.log", time.Now().UTC().Format("20060102T150405"))
	e := os.MkdirAll(s.Keep, 0o750)
	var f *os.File
	if e == nil {
		f, e = os.CreateTemp(s.Keep, name)
	}
	if e != nil {
		return errors.Join(err, fmt.Errorf("what came last is lost: %w", e))
	}
	_, e = io.Copy(f, io.MultiReader(rest, io.NewSectionReader(s.file, 0, s.size)))
	if e = errors.Join(e, f.Close()); e != nil {
		return errors.Join(err, fmt.Errorf("what came last is lost: %w", e))
	}
	if err == nil {
		s.OnError(fmt.Errorf("the last line was not complete; it is kept in %s", f.Name()))
		return nil
	}
	return fmt.Errorf("%w; what came since is kept in %s: load it when this is mended", err, f.Name())
}

// copy reads the stream into the file until it ends.
func (s *Stream) copy() error {
	buffer := make([]byte, 256<<10)
	for {
		n, err := s.From.Read(buffer)
		if e := s.add(buffer[:n]); e != nil {
			return fmt.Errorf("cannot hold what comes: %w", e)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot read standard input: %w", err)
		}
	}
}

func (s *Stream) add(text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.file.WriteAt(text, s.size); err != nil {
		return err
	}
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		s.ends = s.size + int64(end) + 1
	}
	s.size += int64(len(text))
	return nil
}

// cut takes the complete lines that have come, or everything.
func (s *Stream) cut(whole bool) (*Piece, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.ends
	if whole {
		end = s.size
	}
	if end == 0 {
		return nil, nil
	}
	next, err := unnamed(s.Spool)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(next, io.NewSectionReader(s.file, end, s.size-end)); err != nil {
		return nil, errors.Join(err, next.Close())
	}
	piece := &Piece{s.file, end}
	s.file, s.size, s.ends = next, s.size-end, 0
	return piece, nil
}

// unnamed makes a file that leaves nothing behind, whatever happens.
func unnamed(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "stage-input-*")
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
