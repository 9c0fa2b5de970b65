package server

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// sendTime is how long a reader may take for an answer that is sent whole.
	sendTime = 60 * time.Second
	// pieceTime is how long a reader may take for a piece of a large answer, of
	// holdBack bytes: whoever is slower than 13 KB a second loses the connection.
	pieceTime = 20 * time.Second
)

// errReader means that a caller went away, or took too long to read.
var errReader = errors.New("the caller stopped reading")

// sender sends what is written to it in a goroutine of its own, at the pace of
// the reader.
type sender struct {
	w       http.ResponseWriter
	begin   func() // called before the first byte
	started bool   // to send
	sent    bool   // some of it; known when it has ended
	backlog *backlog
	ended   chan struct{}
	free    sync.Once
}

func newSender(w http.ResponseWriter, begin func()) *sender {
	return &sender{w: w, begin: begin, backlog: newBacklog(), ended: make(chan struct{})}
}

func (s *sender) Write(p []byte) (int, error) {
	if !s.started {
		s.started = true
		go s.send()
	}
	return s.backlog.Write(p)
}

func (s *sender) send() {
	defer close(s.ended)
	connection := http.NewResponseController(s.w)
	var buffer []byte
	for {
		bytes, err := s.backlog.next(buffer)
		if err != nil {
			s.backlog.fail(err)
		}
		if err != nil || bytes == nil {
			return
		}
		if !s.sent {
			s.begin()
			s.sent = true
		}
		connection.SetWriteDeadline(time.Now().Add(pieceTime))
		if _, err := s.w.Write(bytes); err != nil {
			s.backlog.fail(fmt.Errorf("%w: %w", errReader, err))
			return
		}
		buffer = bytes
	}
}

// finish waits until everything is sent, unless there was an error, and returns
// that or why it could not be sent.
func (s *sender) finish(err error) error {
	if err != nil {
		s.stop()
		return err
	}
	s.backlog.close()
	if s.started {
		<-s.ended
	}
	return s.backlog.failed
}

// stop sends no more. Nothing is written to the connection after it.
func (s *sender) stop() {
	s.backlog.fail(errReader)
	if s.started {
		<-s.ended
	}
	s.free.Do(s.backlog.free)
}
