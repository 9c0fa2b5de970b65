package server

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

const (
	// backlogMemory is how much of an answer waits in memory for a slow reader;
	// what is more waits in a file.
	backlogMemory = 1 << 20
	// backlogFiles bounds those files, all together.
	backlogFiles = 8 << 30
)

// backlogged is how many bytes lie in such files now. The disk is one for all.
var backlogged atomic.Int64

var errBacklog = errors.New("too much of large answers waits for slow readers")

// backlog is what was made of an answer and was not taken yet. Whoever makes the
// answer need not wait for its reader: it is done, and lets go of the engine, as
// soon as the last row is made. One goroutine writes, one reads.
type backlog struct {
	folder string // for the file; empty: the system's

	mu     sync.Mutex
	moved  sync.Cond
	pieces []piece
	memory int // bytes of pieces that are there
	closed bool
	failed error

	file *os.File // nil until it is needed
	end  int64    // of the file; the writer's
}

// piece is some bytes, here or in the file.
type piece struct {
	bytes  []byte
	offset int64
	length int
}

func newBacklog() *backlog {
	b := &backlog{}
	b.moved.L = &b.mu
	return b
}

// Write takes bytes that the caller may use again afterwards.
func (b *backlog) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil && b.memory > 0 && b.memory+len(p) > backlogMemory {
		if kept, err := b.store(p); err != nil {
			b.failed = err
		} else if kept {
			b.moved.Signal()
			return len(p), nil
		}
	}
	for b.failed == nil && b.memory > 0 && b.memory+len(p) > backlogMemory {
		b.moved.Wait() // there is no file: the reader must take something first
	}
	if b.failed != nil {
		return 0, b.failed
	}
	b.pieces = append(b.pieces, piece{bytes: append([]byte(nil), p...), length: len(p)})
	b.memory += len(p)
	b.moved.Signal()
	return len(p), nil
}

// store puts bytes into the file, if there can be one. The lock is held, but not
// while it is written.
func (b *backlog) store(p []byte) (bool, error) {
	b.mu.Unlock()
	defer b.mu.Lock()
	if b.file == nil {
		f, err := os.CreateTemp(b.folder, "sightline-answer-")
		if err != nil {
			return false, nil
		}
		os.Remove(f.Name()) // it goes with the process, however that ends
		b.file = f
	}
	if backlogged.Add(int64(len(p))) > backlogFiles {
		backlogged.Add(-int64(len(p)))
		return false, errBacklog
	}
	offset := b.end
	b.end += int64(len(p))
	if _, err := b.file.WriteAt(p, offset); err != nil {
		return false, err
	}
	b.mu.Lock()
	b.pieces = append(b.pieces, piece{offset: offset, length: len(p)})
	b.mu.Unlock()
	return true, nil
}

// next waits for a piece and reads it, into a buffer if it is in the file. It
// returns nil at the end.
func (b *backlog) next(buffer []byte) ([]byte, error) {
	b.mu.Lock()
	for len(b.pieces) == 0 && !b.closed && b.failed == nil {
		b.moved.Wait()
	}
	if b.failed != nil || len(b.pieces) == 0 {
		defer b.mu.Unlock()
		return nil, b.failed
	}
	p := b.pieces[0]
	b.pieces = b.pieces[1:]
	b.memory -= len(p.bytes)
	b.moved.Signal()
	b.mu.Unlock()
	if p.bytes != nil {
		return p.bytes, nil
	}
	if cap(buffer) < p.length {
		buffer = make([]byte, p.length)
	}
	_, err := b.file.ReadAt(buffer[:p.length], p.offset)
	return buffer[:p.length], err
}

// close says that no more will be written.
func (b *backlog) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.moved.Signal()
}

// fail ends it on both sides. The first reason stays.
func (b *backlog) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		b.failed = err
	}
	b.moved.Broadcast()
}

// free gives the room on the disk back, when nobody uses it any more.
func (b *backlog) free() {
	if b.file != nil {
		b.file.Close()
		backlogged.Add(-b.end)
	}
}
