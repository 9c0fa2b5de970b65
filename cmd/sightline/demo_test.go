package main

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/ingest"
)

// A demo that is started again may find that nothing has happened since.
func TestADemoToWhichNothingIsAddedStarts(t *testing.T) {
	var said bytes.Buffer
	a := &app{data: t.TempDir(), getenv: func(string) string { return "" }, stdout: io.Discard, stderr: &said}
	if err := a.loadMade(t.Context(), ingest.Answers, "Making", func(io.Writer) error { return nil }); err != nil || said.Len() > 0 {
		t.Errorf("%v, and it says %q", err, said.String())
	}
}

func TestTheDemosLinesAreOfTheUsualPeriod(t *testing.T) {
	help := demoHelp("sightline", "127.0.0.1:8080", "sl_x", time.Date(2026, 3, 31, 9, 0, 0, 0, time.UTC))
	if want := "dateFrom=2026-03-01T00:00:00Z&dateTo=2026-03-30T23:59:59Z"; strings.Count(help, want) != 5 || strings.Count(help, "dateFrom=") != 5 {
		t.Error(help)
	}
}

func TestTheDemoSaysThatItsDashboardMoved(t *testing.T) {
	at := func(address string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)) }
	for _, c := range []struct{ name, asked, got, want string }{
		{"where it should be", demoPages, demoPages, ""},
		{"taken", demoPages, "127.0.0.1:40001", "127.0.0.1:8090 is taken"},
		{"somebody chose", "127.0.0.1:9000", "127.0.0.1:9000", ""},
	} {
		if got := moved(c.asked, at(c.got)); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
