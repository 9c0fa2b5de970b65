package client_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sightline-hq/sightline/client"
)

// tagged answers with an ETag for each path and version, and 304 where it can.
type tagged struct {
	version int
	header  string // Cache-Control
	size    int    // of answers
	log     []string
}

func (s *tagged) serve(_ int, r *http.Request) (*http.Response, error) {
	etag := fmt.Sprintf(`W/"%s-%d"`, r.URL.Path, s.version)
	if r.Header.Get("If-None-Match") == etag {
		s.log = append(s.log, "304")
		return reply(304, "", "ETag", etag), nil
	}
	s.log = append(s.log, "200")
	body := fmt.Sprintf(`[{"domain":"%s","websiteId":"%d"}]`, strings.Repeat("x", s.size), s.version)
	return reply(200, body, "ETag", etag, "Cache-Control", s.header), nil
}

func TestConditionalRequests(t *testing.T) {
	type step struct {
		product int64
		version int
	}
	cases := []struct {
		name  string
		bytes int64
		s     tagged
		steps []step
		want  string
	}{
		{"an answer that is the same is not sent again", 1 << 20, tagged{}, []step{{1, 1}, {1, 1}, {1, 1}}, "200 304 304"},
		{"a new answer replaces the old", 1 << 20, tagged{}, []step{{1, 1}, {1, 2}, {1, 2}, {1, 1}}, "200 200 304 200"},
		{"each URL has its own", 1 << 20, tagged{}, []step{{1, 1}, {2, 1}, {1, 1}, {2, 1}}, "200 200 304 304"},
		{"off unless asked for", 0, tagged{}, []step{{1, 1}, {1, 1}}, "200 200"},
		{"no-cache means to ask each time", 1 << 20, tagged{header: "private, no-cache"}, []step{{1, 1}, {1, 1}}, "200 304"},
		{"no-store is obeyed", 1 << 20, tagged{header: "no-store"}, []step{{1, 1}, {1, 1}}, "200 200"},
		{"what was used last stays", 2500, tagged{size: 1000}, []step{{1, 1}, {2, 1}, {1, 1}, {3, 1}, {1, 1}, {2, 1}}, "200 200 304 200 304 200"},
		{"too large to keep", 900, tagged{size: 1000}, []step{{1, 1}, {1, 1}}, "200 200"},
		{"too large to keep with its URL", 1050, tagged{size: 1000}, []step{{1, 1}, {1, 1}}, "200 200"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cl := through(t, &transport{answer: c.s.serve}, client.WithCache(c.bytes))
			for i, step := range c.steps {
				c.s.version = step.version
				got, err := cl.Websites(t.Context(), step.product)
				if err != nil || len(got) != 1 || got[0].WebsiteID != fmt.Sprint(step.version) {
					t.Fatalf("step %d: %v, %v", i, got, err)
				}
				got[0].WebsiteID = "changed by the caller"
			}
			if got := strings.Join(c.s.log, " "); got != c.want {
				t.Errorf("answers %s, want %s", got, c.want)
			}
		})
	}
}

func TestAnAnswerWithoutETagForgetsTheOldOne(t *testing.T) {
	var asked []string
	tr := &transport{answer: func(attempt int, r *http.Request) (*http.Response, error) {
		asked = append(asked, r.Header.Get("If-None-Match"))
		if attempt == 1 {
			return reply(200, `[]`, "ETag", `"a"`), nil
		}
		return reply(200, `[]`), nil
	}}
	c := through(t, tr, client.WithCache(1<<20))
	for range 3 {
		if _, err := c.Products(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprintf("%q", asked); got != `["" "\"a\"" ""]` {
		t.Errorf("asked with %s", got)
	}
}

func TestHalfAnAnswerIsNotKept(t *testing.T) {
	url, _ := serving(t, func(attempt int, w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != "" {
			t.Errorf("attempt %d is conditional", attempt)
		}
		if attempt == 1 {
			cut(w, "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 90\r\n\r\n"+websites[:50], false)
			return
		}
		io.WriteString(w, websites)
	})
	if got, err := dial(t, url, noWaits(), client.WithCache(1<<20)).Websites(t.Context(), 7); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestManyGoroutinesShareAClient(t *testing.T) {
	url, _ := serving(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+r.URL.Path+`"`)
		if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
			w.WriteHeader(304)
			return
		}
		fmt.Fprintf(w, `[{"domain":"%s","websiteId":"w"}]`, r.URL.Path)
	})
	c := dial(t, url, client.WithCache(300)) // room for two or three
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 40 {
				product := int64(1 + (worker+i)%5)
				got, err := c.Websites(t.Context(), product)
				if err != nil || len(got) != 1 || got[0].Domain != fmt.Sprintf("/v1/products/%d/websites", product) {
					t.Errorf("product %d: %v, %v", product, got, err)
				}
			}
		})
	}
	all.Wait()
}
