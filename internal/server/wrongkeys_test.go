package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/peer"
	"github.com/sightline-hq/sightline/internal/server"
)

// tries sends keys from addresses, through a proxy that is listed.
type tries struct {
	*fixture
	server *server.Server
}

func guarded(t *testing.T, s server.Slowdown) *tries {
	t.Helper()
	var made *server.Server
	f := serve(t, func(one *server.Server) {
		one.WrongKeys, made = s, one
		proxies, err := peer.ParseProxies([]string{"127.0.0.1"})
		check(t, err)
		one.Proxies = proxies
	})
	return &tries{f, made}
}

func (f *tries) from(address, key, path string) (status int, took time.Duration, header http.Header, err error) {
	req, err := http.NewRequest("GET", f.URL+path, nil)
	if err != nil {
		return 0, 0, nil, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	req.Header.Set("X-Forwarded-For", address)
	started := time.Now()
	res, err := f.client.Do(req)
	if err != nil {
		return 0, 0, nil, err
	}
	res.Body.Close()
	return res.StatusCode, time.Since(started), res.Header, nil
}

func (f *tries) expect(t *testing.T, address, key, path string, status int, slow bool) {
	t.Helper()
	got, took, _, err := f.from(address, key, path)
	if err != nil || got != status || slow != (took >= shortPause) {
		t.Errorf("%s, %.6s…, %s: %d in %s, %v", address, key, path, got, took, err)
	}
}

const shortPause = 700 * time.Millisecond

const wrong = "sl_0000000000000000000000000000000000000000"

func TestWrongKeysAreSlowedWhenTheyPileUpAndRightOnesNever(t *testing.T) {
	t.Parallel()
	f := guarded(t, server.Slowdown{Free: 3, Pause: shortPause})
	for range 3 {
		f.expect(t, "192.0.2.1", wrong, "/v1/products", 401, false)
	}
	f.expect(t, "192.0.2.1", wrong, "/v1/products", 401, true)
	f.expect(t, "192.0.2.1", "junk", "/v1/products/101/websites", 401, true)
	f.expect(t, "192.0.2.1", f.revoked, "/v1/products", 401, true)
	// The same address, with a right key: others share it.
	f.expect(t, "192.0.2.1", f.key, "/v1/products", 200, false)
	f.expect(t, "192.0.2.1", f.key, "/v1/products/202/websites", 401, false)
	f.expect(t, "192.0.2.1", "", "/v1/products", 401, false)
	f.expect(t, "192.0.2.2", wrong, "/v1/products", 401, false)
	// A network of 64 bits is one address.
	for i := range 3 {
		f.expect(t, fmt.Sprintf("2001:db8:1:2::%d", i+1), wrong, "/v1/products", 401, false)
	}
	f.expect(t, "2001:db8:1:2:ffff::1", wrong, "/v1/products", 401, true)
	f.expect(t, "2001:db8:1:3::1", wrong, "/v1/products", 401, false)
	figures := f.server.Figures()
	if figures.WrongKeys != 12 || figures.NoKeys != 1 || figures.WrongProducts != 1 || figures.Slowed != 0 {
		t.Errorf("%+v", figures)
	}
	if log := f.logged(); strings.Count(log, "many wrong keys from one address") != 2 || !strings.Contains(log, "192.0.2.1/32") || strings.Contains(log, wrong) {
		t.Errorf("the log says %s", log)
	}
}

func TestWrongKeysAreForgiven(t *testing.T) {
	t.Parallel()
	f := guarded(t, server.Slowdown{Free: 1, Pause: shortPause})
	f.expect(t, "192.0.2.1", wrong, "/v1/products", 401, false)
	f.expect(t, "192.0.2.1", wrong, "/v1/products", 401, true)
	time.Sleep(3 * shortPause)
	f.expect(t, "192.0.2.1", wrong, "/v1/products", 401, false)
}

// However many try keys, few of them wait; the others are turned away at once, and
// a right key gets through.
func TestAFloodOfWrongKeysTakesUpLittle(t *testing.T) {
	t.Parallel()
	f := guarded(t, server.Slowdown{Free: 1, Pause: 2 * time.Second})
	var mu sync.Mutex
	statuses := make(map[int]int)
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			status, _, header, err := f.from("192.0.2.1", wrong, "/v1/products")
			if err != nil || status == 503 && header.Get("Retry-After") == "" {
				t.Errorf("%v %v", err, header)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[status]++
		})
	}
	time.Sleep(500 * time.Millisecond)
	if n := f.server.Figures().Slowed; n != 8 {
		t.Errorf("%d wait", n)
	}
	f.expect(t, "192.0.2.1", f.key, "/v1/products", 200, false)
	all.Wait()
	if statuses[401] != 9 || statuses[503] != 51 {
		t.Errorf("%v", statuses)
	}
	if log := f.logged(); strings.Contains(log, "turning some away") || strings.Contains(log, "request failed") {
		t.Errorf("wrong keys are called an overload or an error: %s", log)
	}
}
