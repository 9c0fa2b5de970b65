package check_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/check"
	"github.com/sightline-hq/sightline/internal/demotest"
)

// A demo of twelve days, from a Wednesday to a Sunday.
var (
	demoFrom = time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	demoTo   = time.Date(2026, 3, 15, 23, 59, 59, 0, time.UTC)
)

// world is our server on the demo's data, shared by the tests of this package:
// nothing changes it.
var world struct {
	handler             http.Handler
	northwind, solstice string // keys
}

func TestMain(m *testing.M) {
	os.Exit(demotest.Main(m, demoFrom, demoTo, func(d *demotest.Demo) {
		world.handler = d.Handler
		world.northwind, world.solstice = d.Keys[demotest.Northwind], d.Keys[demotest.Solstice]
	}))
}

// against runs checks on a server that lives as long as they do.
func against(t *testing.T, handler http.Handler, change func(*check.Options)) check.Report {
	t.Helper()
	running := httptest.NewServer(handler)
	defer running.Close()
	o := check.Options{BaseURL: running.URL, Key: world.northwind, SecondKey: world.solstice, Timeout: time.Minute, MaxRequests: 2000}
	if change != nil {
		change(&o)
	}
	r, err := check.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
