package server_test

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/server"
)

// keyring is a catalog, and keys of every kind.
type keyring struct {
	snapshot                  *catalog.Snapshot
	key, other, short, killed string
}

// newKeyring makes a key that ends after a while.
func newKeyring(t *testing.T, short time.Duration) (r keyring) {
	t.Helper()
	ctx := t.Context()
	store, err := catalog.Open(ctx, filepath.Join(t.TempDir(), "catalog.db"))
	check(t, err)
	defer store.Close()
	w, err := catalog.ParseWorkspace("w", []byte(workspace))
	check(t, err)
	_, err = store.Apply(ctx, w)
	check(t, err)
	_, r.key, err = store.CreateKey(ctx, "acme", "")
	check(t, err)
	_, r.other, err = store.CreateKey(ctx, "other", "")
	check(t, err)
	_, r.short, err = store.CreateKey(ctx, "acme", "", catalog.Expires(time.Now().Add(short)))
	check(t, err)
	info, killed, err := store.CreateKey(ctx, "acme", "")
	check(t, err)
	check(t, store.RevokeKey(ctx, info.ID))
	r.killed = killed
	r.snapshot, err = store.Snapshot(ctx)
	check(t, err)
	return r
}

// An answer that is remembered, and one that the caller has, is none for a key
// that has ended meanwhile.
func TestAnExpiredKeyIsRefusedWhateverIsRemembered(t *testing.T) {
	ring := newKeyring(t, 3*time.Second)
	f := serve(t, func(s *server.Server) { s.Catalog = func() *catalog.Snapshot { return ring.snapshot } })
	const path = "/v1/products/101/prompts?domain=acme.com&" + march
	ask := func(key, etag string) *http.Response {
		req, err := http.NewRequest("GET", f.URL+path, nil)
		check(t, err)
		req.Header.Set("Authorization", "Bearer "+key)
		if etag != "" {
			req.Header.Set("If-None-Match", etag)
		}
		res, err := f.client.Do(req)
		check(t, err)
		res.Body.Close()
		return res
	}
	first := ask(ring.short, "")
	etag := first.Header.Get("ETag")
	if first.StatusCode != http.StatusOK || etag == "" {
		t.Fatalf("before its end: %s, ETag %q", first.Status, etag)
	}
	time.Sleep(3 * time.Second)
	for _, c := range []struct {
		name, key, etag string
		want            int
	}{
		{"the expired key, remembered", ring.short, "", http.StatusUnauthorized},
		{"the expired key, with the tag", ring.short, etag, http.StatusUnauthorized},
		{"the expired key, with any tag", ring.short, "*", http.StatusUnauthorized},
		{"another key of the team", ring.key, etag, http.StatusNotModified},
		{"a key of another team", ring.other, etag, http.StatusUnauthorized},
	} {
		if res := ask(c.key, c.etag); res.StatusCode != c.want || c.want == http.StatusUnauthorized && res.Header.Get("ETag") != "" {
			t.Errorf("%s: %s, ETag %q, want %d", c.name, res.Status, res.Header.Get("ETag"), c.want)
		}
	}
}

// refusals are the ways to be refused. Within a group a caller must not be able
// to tell them apart, by the clock either.
func refusals(ring keyring) (groups [][]refusal) {
	unknown := "sl_000000000000000000000000000000001g3nia" // well-formed
	return [][]refusal{
		{{"a product of others", ring.key, "202"}, {"no such product", ring.key, "999"}, {"no number", ring.key, "x99"}},
		{{"an unknown key", unknown, "101"}, {"a revoked key", ring.killed, "101"}, {"an expired key", ring.short, "101"},
			{"an unknown key, no such product", unknown, "999"}, {"another team's key", ring.other, "101"}},
		{{"a mangled key", ring.key[:len(ring.key)-1] + "-", "101"}, {"a mangled key, no such product", ring.key[:len(ring.key)-1] + "-", "999"}},
	}
}

type refusal struct{ name, key, product string }

// TestTheTimeOfA401TellsNothing measures, in turns, how long each kind of 401
// takes within the server. One round may be spoilt by a busy machine, a
// difference that is there shows in all of them.
func TestTheTimeOfA401TellsNothing(t *testing.T) {
	const rounds, samples = 6, 1500
	ring := newKeyring(t, time.Second)
	time.Sleep(time.Second)
	handler := (&server.Server{
		Catalog: func() *catalog.Snapshot { return ring.snapshot }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Queries: 1,
	}).Handler()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	groups := refusals(ring)
	spoilt := make([]string, len(groups))
	for round := range rounds {
		open := false
		for i, group := range groups {
			if round > 0 && spoilt[i] == "" {
				continue
			}
			figures, spread := measure(t, handler, group, samples, random)
			t.Logf("round %d: %s", round+1, figures)
			spoilt[i] = ""
			if spread {
				spoilt[i], open = figures, true
			}
		}
		if !open {
			return
		}
	}
	for _, figures := range spoilt {
		if figures != "" {
			t.Errorf("in %d rounds the times of 401s differ: %s", rounds, figures)
		}
	}
}

// measure takes samples of each refusal in random order, and says whether their
// medians differ by more than the clock and the machine explain.
func measure(t *testing.T, h http.Handler, group []refusal, samples int, random *rand.Rand) (figures string, spread bool) {
	t.Helper()
	times := make([][]time.Duration, len(group))
	for n := range samples {
		for _, i := range random.Perm(len(group)) {
			req := httptest.NewRequest("GET", "/v1/products/"+group[i].product+"/websites", nil)
			req.RemoteAddr = fmt.Sprintf("[2001:db8:%x::%x]:4000", random.IntN(1<<16), random.IntN(1<<16)) // many callers, none of whom fails often
			req.Header.Set("Authorization", "Bearer "+group[i].key)
			res := httptest.NewRecorder()
			started := time.Now()
			h.ServeHTTP(res, req)
			took := time.Since(started)
			if res.Code != http.StatusUnauthorized {
				t.Fatalf("%s: %d", group[i].name, res.Code)
			}
			if n >= samples/10 { // the first ones warm up
				times[i] = append(times[i], took)
			}
		}
	}
	var all []string
	least, most := time.Hour, time.Duration(0)
	for i, r := range group {
		slices.Sort(times[i])
		median := times[i][len(times[i])/2]
		least, most = min(least, median), max(most, median)
		all = append(all, fmt.Sprintf("%s %s", r.name, median))
	}
	return strings.Join(all, ", "), most-least > max(least/5, time.Microsecond)
}

// A leak of a few microseconds is one that the measurement finds.
func TestTheMeasurementOf401sFindsALeak(t *testing.T) {
	leaky := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for started := time.Now(); strings.Contains(r.URL.Path, "202") && time.Since(started) < 20*time.Microsecond; {
		}
		w.WriteHeader(http.StatusUnauthorized)
	})
	group := []refusal{{"a product of others", "", "202"}, {"no such product", "", "999"}}
	if figures, spread := measure(t, leaky, group, 500, rand.New(rand.NewPCG(1, 2))); !spread {
		t.Errorf("it was not found: %s", figures)
	}
}
