package sightline

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Client asks a server, one request after another.
type Client struct {
	Address, Key string
	client       *http.Client
	room         []byte // for bodies
}

// NewClient is a client of a server.
func NewClient(address, key string) *Client {
	return &Client{Address: address, Key: key, client: &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}}}
}

// CloseIdle closes its connections.
func (c *Client) CloseIdle() { c.client.CloseIdleConnections() }

// Answer is what came back, and how long that took.
type Answer struct {
	Body []byte // until the client asks again
	Tag  string
	Took time.Duration // all of it
	Own  time.Duration // the report alone
}

// Ask asks for a path with its query.
func (c *Client) Ask(ctx context.Context, request string) (a Answer, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.Address+request, nil)
	if err != nil {
		return a, err
	}
	r.Header.Set("Authorization", "Bearer "+c.Key)
	started := time.Now()
	response, err := c.client.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	a.Body, err = c.whole(response)
	a.Took = time.Since(started)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s %s", request, response.StatusCode, a.Body, response.Header.Get("Sightline-Error-Detail"))
	}
	a.Tag = response.Header.Get("ETag")
	if ms, ok := strings.CutPrefix(response.Header.Get("Server-Timing"), "report;dur="); ok {
		n, _ := strconv.ParseFloat(ms, 64)
		a.Own = time.Duration(n * float64(time.Millisecond))
	}
	return a, err
}

// whole reads a body into room of its size, if that is known, which is used again:
// what room takes is nothing that a server could do about.
func (c *Client) whole(r *http.Response) ([]byte, error) {
	if r.ContentLength < 0 {
		return io.ReadAll(r.Body)
	}
	c.room = slices.Grow(c.room[:0], int(r.ContentLength))[:r.ContentLength]
	_, err := io.ReadFull(r.Body, c.room)
	return c.room, err
}
