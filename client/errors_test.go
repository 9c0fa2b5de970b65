package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

func TestErrorsSayWhatTheServerSaid(t *testing.T) {
	id := []string{api.HeaderRequestID, "REQ1"}
	cases := []struct {
		name   string
		answer *transport
		want   client.Error
		text   string
	}{
		{"400 with its detail", always(400, `{"message":"Invalid request parameters."}`, append(id, api.HeaderErrorDetail, "dateFrom: required")...),
			client.Error{Status: 400, Message: "Invalid request parameters.", Detail: "dateFrom: required", RequestID: "REQ1", Attempts: 1},
			"GET /v1/products/7/prompts: 400 Invalid request parameters. dateFrom: required (request id REQ1)"},
		{"401", always(401, `{"message":"Unauthorized."}`, id...),
			client.Error{Status: 401, Message: "Unauthorized.", RequestID: "REQ1", Attempts: 1},
			"GET /v1/products/7/prompts: 401 Unauthorized. (request id REQ1)"},
		{"503 to the end", always(503, `{"message":"Service unavailable."}`, append(id, "Retry-After", "1")...),
			client.Error{Status: 503, Message: "Service unavailable.", RequestID: "REQ1", RetryAfter: time.Second, Attempts: 2},
			"GET /v1/products/7/prompts: 503 Service unavailable. (request id REQ1, 2 attempts, retry after 1s)"},
		{"a body that is not ours", always(502, "<h1>Bad gateway</h1>"),
			client.Error{Status: 502, Attempts: 2},
			"GET /v1/products/7/prompts: 502 Bad Gateway (2 attempts)"},
		{"a message of many lines", always(400, `{"message":"one\ntwo\u0007"}`),
			client.Error{Status: 400, Message: "one two", Attempts: 1},
			"GET /v1/products/7/prompts: 400 one two"},
		{"a long message", always(400, `{"message":"`+strings.Repeat("é", 1000)+`"}`),
			client.Error{Status: 400, Message: strings.Repeat("é", 500) + "…", Attempts: 1},
			"GET /v1/products/7/prompts: 400 " + strings.Repeat("é", 500) + "…"},
		{"an endless body", always(500, `{"message":"`+strings.Repeat("x", 1<<20)+`"}`),
			client.Error{Status: 500, Attempts: 2},
			"GET /v1/products/7/prompts: 500 Internal Server Error (2 attempts)"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var err error
			synctest.Test(t, func(t *testing.T) {
				_, err = through(t, c.answer, noWaits(), client.WithMaxAttempts(2)).Prompts(t.Context(), 7, asked)
			})
			c.want.Path = "/v1/products/7/prompts"
			if diff := cmp.Diff(&c.want, failed(t, err), cmpopts.IgnoreUnexported(client.Error{})); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if err.Error() != c.text {
				t.Errorf("text %q, want %q", err, c.text)
			}
		})
	}
}

func TestErrorsUnwrapToWhatBroke(t *testing.T) {
	broken := errors.New("cable unplugged")
	tr := &transport{answer: func(int, *http.Request) (*http.Response, error) { return nil, broken }}
	_, err := through(t, tr, client.WithMaxAttempts(1)).Prompts(t.Context(), 7, asked)
	if !errors.Is(err, broken) || !errors.Is(err, client.ErrUnavailable) || failed(t, err).Status != 0 {
		t.Errorf("error %v", err)
	}
	if want := "GET /v1/products/7/prompts: no answer: cable unplugged"; err.Error() != want {
		t.Errorf("text %q, want %q", err, want)
	}
}

func TestAnswersThatAreTooLargeAreGivenUp(t *testing.T) {
	body := `[{"domain":"` + strings.Repeat("x", 1000) + `","websiteId":"w"}]`
	tr := always(200, body)
	if _, err := through(t, tr, client.WithMaxBody(int64(len(body)))).Websites(t.Context(), 7); err != nil {
		t.Errorf("an answer of just the size: %v", err)
	}
	tr = always(200, body)
	_, err := through(t, tr, client.WithMaxBody(int64(len(body)-1))).Websites(t.Context(), 7)
	if !errors.Is(err, client.ErrTooLarge) || errors.Is(err, client.ErrUnavailable) || tr.sent.Load() != 1 {
		t.Errorf("%d requests: %v", tr.sent.Load(), err)
	}
}

// A key may come back from a proxy that echoes requests, or from a transport
// that prints them. It never goes further.
func TestTheKeyIsInNothingThatIsPrinted(t *testing.T) {
	echo := "you sent " + key
	leaks := map[string]*transport{
		"message":    always(400, `{"message":"`+echo+`"}`),
		"detail":     always(400, `{}`, api.HeaderErrorDetail, echo),
		"request id": always(401, `{}`, api.HeaderRequestID, key),
		"redirect":   always(302, ``, "Location", "http://elsewhere.test/?key="+key),
		"answer":     always(200, `{"`+key+`":`),
		"field":      always(200, `[{"domain":{"`+key+`":1}}]`),
		"transport": {answer: func(int, *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("cannot send %w", errors.New(echo))
		}},
	}
	for name, tr := range leaks {
		t.Run(name, func(t *testing.T) {
			c := through(t, tr, noWaits(), client.WithMaxAttempts(2), client.WithCache(1<<20))
			_, err := c.Websites(t.Context(), 7)
			printed := []any{err, failed(t, err), *failed(t, err), errors.Unwrap(err), c, *c, []any{c}, struct{ C client.Client }{*c}}
			for _, v := range printed {
				for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
					if s := fmt.Sprintf(verb, v); strings.Contains(s, key) || strings.Contains(s, fmt.Sprintf("%x", key)) {
						t.Errorf("%s of %T: %s", verb, v, s)
					}
				}
			}
		})
	}
}
