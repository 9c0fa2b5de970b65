package mcp_test

import (
	"os"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/demotest"
)

// demoWindow is three days of the demo, and today the last of them.
var (
	demoWindow = api.Window{From: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 4, 23, 59, 59, 0, time.UTC)}
	today      = time.Date(2026, 3, 4, 17, 30, 0, 0, time.UTC)
)

// One server on the demo's data for all tests: its address, a key that sees
// three products, and one that sees only product 103.
var demoBase, agencyKey, soloKey string

func TestMain(m *testing.M) {
	os.Exit(demotest.Main(m, demoWindow.From, demoWindow.To, func(d *demotest.Demo) {
		demoBase, agencyKey, soloKey = d.URL, d.Keys[demotest.Lighthouse], d.Keys[demotest.Solstice]
	}))
}
