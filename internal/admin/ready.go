package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Check is something that must be well for a server to be ready. Run returns what
// is wrong; an error made by Note is told, and the server counts as ready.
type Check struct {
	Name string
	Run  func(context.Context) error
}

// Note is an error with which a server can still answer, such as a catalog that
// cannot be read at the moment: all servers that share it would otherwise
// count as not ready at once.
func Note(err error) error {
	if err == nil {
		return nil
	}
	return note{err}
}

type note struct{ error }

func (n note) Unwrap() error { return n.error }

// checkTime is how long all checks may take together.
const checkTime = 2 * time.Second

// finding is what a check found.
type finding struct {
	name string
	err  error
}

func (f finding) fatal() bool {
	var n note
	return f.err != nil && !errors.As(f.err, &n)
}

// each is what a check found, one by one.
func (f finding) each() []error {
	err := f.err
	var n note
	if errors.As(err, &n) {
		err = n.error
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// check runs all checks at once.
func (a *Admin) check(ctx context.Context) []finding {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	found := make([]finding, len(a.parts.Checks))
	var all sync.WaitGroup
	for i, c := range a.parts.Checks {
		found[i].name = c.Name
		all.Go(func() { found[i].err = run(ctx, c) })
	}
	all.Wait()
	return found
}

// run makes an error of a panic: a check must not end the server.
func run(ctx context.Context, c Check) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return c.Run(ctx)
}

// ready says whether the server is to get requests, and what is wrong, a line each.
func (a *Admin) ready(w http.ResponseWriter, r *http.Request) {
	if a.stopping.Load() {
		say(w, http.StatusServiceUnavailable, "not ready\nserver: stopping; requests under way are answered, new ones are not taken\n")
		return
	}
	status, head, lines := http.StatusOK, "ready\n", ""
	for _, f := range a.check(r.Context()) {
		if f.fatal() {
			status, head = http.StatusServiceUnavailable, "not ready\n"
		}
		for _, err := range f.each() {
			lines += f.name + ": " + oneLine(err) + "\n"
		}
	}
	say(w, status, head+lines)
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
