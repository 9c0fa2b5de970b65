package web

import (
	"net/http"
	"runtime/debug"
)

// survived answers for a handler that panics, and leaves the operator what it
// takes to find out why. Values of the address stay out of the log: a prompt is
// the customer's own.
func (d *Dashboard) survived(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p) // a way to hang up, not a mistake
			default:
				d.log.Error("a page of the dashboard failed", "route", r.Method+" "+r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				http.Error(w, "This page failed. The dashboard's log says why.", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}
