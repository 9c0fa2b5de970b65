package random

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// System is a server under test.
type System interface {
	// Load makes the server know the world and nothing else: it applies the
	// workspace, then loads the answers and the pageviews, load by load. It
	// returns an API key for every team.
	Load(w *oracle.World) (keys map[string]string, err error)
	// Do sends a request with the key, or without one if it is empty.
	Do(method, pathAndQuery, key string) (status int, header http.Header, body []byte, err error)
}

// Requests counts the requests that Check has compared, so that a test can
// prove that it ran.
var Requests atomic.Int64

// Check loads the world, fires random requests at the server and fails with the
// first difference from the oracle.
func Check(t *rapid.T, sys System, w *oracle.World, requests int) {
	t.Helper()
	if err := check(t, sys, w, requests); err != nil {
		t.Fatal(err)
	}
}

func check(t *rapid.T, sys System, w *oracle.World, requests int) error {
	keys, err := sys.Load(w)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	for _, team := range w.Teams {
		if keys[team.ID] == "" {
			return fmt.Errorf("load: no key for team %s", team.ID)
		}
	}
	var unauthorized []byte
	for range requests {
		r := NewRequest(t, w)
		status, header, body, err := sys.Do(r.Method, r.Target, r.Credential(keys))
		if err != nil {
			return fmt.Errorf("%v: %w", r, err)
		}
		Requests.Add(1)
		if err := Compare(r, status, body); err != nil {
			return err
		}
		if err := checkHeader(r, header); err != nil {
			return fmt.Errorf("%v: %w", r, err)
		}
		if status == http.StatusUnauthorized && r.Method == http.MethodGet {
			if unauthorized != nil && !bytes.Equal(body, unauthorized) {
				return fmt.Errorf("%v: the 401 reads %q, another one read %q", r, body, unauthorized)
			}
			unauthorized = body
		}
	}
	return nil
}

// checkHeader looks at what S25 promises: a 400 says what was wrong, in a
// header, and nothing else does.
func checkHeader(r Request, header http.Header) error {
	if !strings.HasPrefix(header.Get("Content-Type"), "application/json") {
		return fmt.Errorf("the content type is %q", header.Get("Content-Type"))
	}
	detail := header.Get("Sightline-Error-Detail")
	if told := detail != ""; told != (r.Status == http.StatusBadRequest) {
		return fmt.Errorf("status %d with the detail %q", r.Status, detail)
	}
	return nil
}
