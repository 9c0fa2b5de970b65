package rate

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const wire = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

func TestAStallCountsForAllWhoWereDue(t *testing.T) {
	var n int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 5 {
			time.Sleep(300 * time.Millisecond)
		}
		w.Write([]byte("answer"))
	}))
	defer server.Close()
	got, err := Run(t.Context(), strings.TrimPrefix(server.URL, "http://"), []byte(wire), 100, 1, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	// About thirty requests were due during the stall; one of a hundred would hide below p99.
	if got.Requests != 100 || got.P99 < 200*time.Millisecond || got.P50 > got.P99 {
		t.Errorf("%+v", got)
	}
}

func TestErrorsAreNoResult(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	defer server.Close()
	if got, err := Run(t.Context(), strings.TrimPrefix(server.URL, "http://"), []byte(wire), 100, 2, 100*time.Millisecond); err == nil {
		t.Errorf("%+v", got)
	}
}
