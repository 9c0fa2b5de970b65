// Package wire measures what the wire takes: a server that does nothing but send
// bytes which it has in memory. Whoever answers over HTTP cannot be faster, however
// little time the report and its JSON take.
package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

// piece is how much is written at once, which is what Sightline writes.
const piece = 128 << 10

// Server sends as many bytes as it is asked for.
type Server struct {
	*sightline.Client
	server http.Server
	ended  chan error
}

// Listen starts a server.
func Listen() (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{Client: sightline.NewClient(l.Addr().String(), ""), ended: make(chan error, 1)}
	s.server.Handler = http.HandlerFunc(send)
	go func() { s.ended <- s.server.Serve(l) }()
	return s, nil
}

var bytes = make([]byte, piece)

func send(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Path[1:])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(n))
	for ; n > 0 && err == nil; n -= piece {
		_, err = w.Write(bytes[:min(n, piece)])
	}
}

// Send has bytes sent, and says how long that took.
func (s *Server) Send(ctx context.Context, n int) (time.Duration, error) {
	a, err := s.Ask(ctx, "/"+strconv.Itoa(n))
	if err == nil && len(a.Body) != n {
		err = fmt.Errorf("%d bytes of %d came", len(a.Body), n)
	}
	return a.Took, err
}

// Close ends the server.
func (s *Server) Close() error {
	s.CloseIdle()
	err := s.server.Close()
	if ended := <-s.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}
