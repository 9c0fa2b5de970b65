package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"path"
	"runtime/debug"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// note is what a request leaves for its log line.
type note struct {
	id, route string
	team, key string // ids
	status    int
	err       error
}

type noteKey struct{}

func noteOf(r *http.Request) *note {
	n, _ := r.Context().Value(noteKey{}).(*note)
	if n == nil {
		n = &note{}
	}
	return n
}

// identify gives each request an id and writes its log line. Neither key nor
// query string is ever logged.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		n := &note{id: rand.Text()}
		w.Header().Set(api.HeaderRequestID, n.id)
		recorder := &statusRecorder{ResponseWriter: w, note: n}
		defer s.ended(r, n, started) // also if the connection is cut
		next.ServeHTTP(recorder, r.WithContext(context.WithValue(r.Context(), noteKey{}, n)))
	})
}

type statusRecorder struct {
	http.ResponseWriter
	note *note
}

func (w *statusRecorder) Write(p []byte) (int, error) {
	if w.note.status == 0 {
		w.note.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

func (w *statusRecorder) WriteHeader(status int) {
	if w.note.status == 0 {
		w.note.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// recover turns a panic into the 500 and a log line.
func (s *Server) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				n := noteOf(r)
				if p == http.ErrAbortHandler {
					panic(p) // the connection is to be cut
				}
				n.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				if n.status != 0 {
					panic(http.ErrAbortHandler) // nobody may take half an answer for a whole one
				}
				writeError(w, r, n.err)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// onlyClean answers unclean paths itself: the mux would redirect them (S24).
func onlyClean(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := r.URL.EscapedPath(); p != path.Clean("/"+p) {
			notFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// onlyGet tells apart what the mux says in plain text: no such path, and no
// such method on this path.
func onlyGet(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			notFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			writeMessage(w, r, http.StatusMethodNotAllowed, api.MessageMethodNotAllowed)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func notFound(w http.ResponseWriter, r *http.Request) {
	writeMessage(w, r, http.StatusNotFound, api.MessageNotFound)
}
