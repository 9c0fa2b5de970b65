package clickhouse

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Whoever mixes up the two ports of a server is told so; a port where nobody
// listens is another mistake.
func TestAWrongPortIsExplained(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	const hint = "is it the port of the native protocol, 9000 or with secure=true 9440? That of HTTP belongs behind http="
	for name, c := range map[string]struct {
		address string
		secure  bool
		hint    bool
	}{
		"HTTP":             {web.Listener.Addr().String(), false, true},
		"not TLS":          {web.Listener.Addr().String(), true, true},
		"nobody listens":   {nobody.Addr().String(), false, false},
		"closes at once":   {closing(t), false, true},
		"nobody, with TLS": {nobody.Addr().String(), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := Config{User: "default", Secure: c.secure}.open(c.address)
			if err != nil {
				t.Fatal(err)
			}
			defer n.close()
			err = n.query(t.Context(), "select 1", func(facts.Scan) error { return nil })
			if err == nil || !strings.Contains(err.Error(), "server "+c.address+" cannot be reached") || strings.Contains(err.Error(), hint) != c.hint {
				t.Errorf("it says: %v", err)
			}
		})
	}
}

// closing is the address of a server that hangs up.
func closing(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			io.CopyN(io.Discard, conn, 1)
			conn.Close()
		}
	}()
	return l.Addr().String()
}
