package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// shared is a standard error that is read while it is written.
type shared struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// startDashboard runs the command and returns where it is, and what it said.
func startDashboard(t *testing.T, env map[string]string, args ...string) (address string, said *shared) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	said, ended := &shared{}, make(chan int, 1)
	getenv := func(name string) string { return env[name] }
	go func() {
		ended <- run(ctx, append([]string{"dashboard", "--listen", "127.0.0.1:0"}, args...), getenv, nil, io.Discard, said)
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != exitDone {
			t.Errorf("exit code %d: %s", code, said)
		}
	})
	at := regexp.MustCompile(`is on (http://[^ ]+)\. `)
	for range 1000 {
		if m := at.FindStringSubmatch(said.String()); m != nil {
			return m[1], said
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the dashboard did not start: %s", said)
	return "", nil
}

func page(t *testing.T, url string, header ...string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestADashboardIsAClientOfAnyServer(t *testing.T) {
	const key = "a-key-of-another-kind"
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, "[]")
	}))
	defer api.Close()
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name   string
		env    map[string]string
		args   []string
		header []string
		says   string
		shows  string
	}{
		{"open", map[string]string{"SIGHTLINE_API_KEY": key, "SIGHTLINE_BASE_URL": api.URL}, nil, nil, "Everyone on this machine can see it", "sees no products yet"},
		{"with a key from a file", nil, []string{"--base-url", api.URL, "--api-key-file", file("key", key+"\n")}, nil, "it has no password", "sees no products yet"},
		{"with a wrong key", map[string]string{"SIGHTLINE_API_KEY": "other", "SIGHTLINE_BASE_URL": api.URL}, nil, nil, "is on", "does not accept the key"},
		{"with a password", map[string]string{"SIGHTLINE_API_KEY": key, "SIGHTLINE_DASHBOARD_PASSWORD": "correct horse"}, nil, nil, "It asks for the password.", "Sign in"},
		{"with a password from a file", map[string]string{"SIGHTLINE_API_KEY": key}, []string{"--password-file", file("password", "correct horse")}, nil, "It asks for the password.", "Sign in"},
		{"behind a proxy", map[string]string{"SIGHTLINE_API_KEY": key, "SIGHTLINE_BASE_URL": api.URL}, []string{"--trusted-proxy-header", "X-Remote-User"},
			[]string{"X-Remote-User", "kim"}, "names in X-Remote-User", "sees no products yet"},
		{"behind another proxy", map[string]string{"SIGHTLINE_API_KEY": key}, []string{"--trusted-proxy-header", "X-Remote-User", "--trusted-proxy", "10.0.0.7,10.1.0.0/16"},
			[]string{"X-Remote-User", "kim"}, "names in X-Remote-User", "Not signed in"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, said := startDashboard(t, c.env, c.args...)
			if _, text := page(t, address+"/", c.header...); !strings.Contains(text, c.shows) || !strings.Contains(said.String(), c.says) {
				t.Errorf("%s\n%s", text, said)
			}
			if strings.Contains(said.String(), key) {
				t.Error("the key was printed")
			}
		})
	}
}

func TestTheDemosDashboardFindsAPlace(t *testing.T) {
	taken, err := demoListen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := demoListen(taken.Addr().String()); err == nil || !strings.Contains(err.Error(), "is in use") {
		t.Errorf("an address that was asked for and is taken: %v", err)
	}
	for range 2 { // at least the second time, the default is taken
		l, err := demoListen(demoPages)
		if err != nil {
			t.Fatalf("the default: %v", err)
		}
		defer l.Close()
	}
	if _, err := demoListen("0.0.0.0:0"); err == nil || !strings.Contains(err.Error(), "open to a network") {
		t.Errorf("a network: %v", err)
	}
}
