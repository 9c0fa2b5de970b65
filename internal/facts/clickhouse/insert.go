package clickhouse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// web inserts over HTTP: the driver cannot insert into servers of 2018.
type web struct {
	config   Config
	client   *http.Client
	optional map[string]bool // settings
	address  string          // that was last good
}

func newWeb(c Config, optional map[string]bool) *web {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout: 2 * dialTimeout, DisableCompression: true, Proxy: http.ProxyFromEnvironment,
		// Servers close idle connections within seconds, perhaps just when the next
		// block is sent; and blocks are large.
		DisableKeepAlives: true,
	}
	return &web{config: c, client: &http.Client{Transport: transport}, optional: optional, address: c.HTTP[0]}
}

func (w *web) close() { w.client.CloseIdleConnections() }

// reach picks an address that answers.
func (w *web) reach(ctx context.Context) error {
	var first error
	for _, address := range w.config.HTTP {
		w.address = address
		err := w.post(ctx, "select 1", nil)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return fmt.Errorf("%w (loading goes over HTTP: name its addresses with http=host:port in the URL of the facts)", first)
}

// insert implements inserter. It is not repeated: nobody knows how much of an
// insert that failed is there, so its whole load has failed.
func (w *web) insert(ctx context.Context, table, columns string, rows []byte) error {
	return w.post(ctx, "insert into "+table+" ("+columns+") format RowBinary", rows)
}

func (w *web) post(ctx context.Context, statement string, body []byte) error {
	scheme := "http"
	if w.config.Secure {
		scheme = "https"
	}
	query := url.Values{"query": {statement}, "insert_distributed_sync": {"1"}}
	for name := range w.optional {
		query.Set(name, "0")
	}
	target := url.URL{Scheme: scheme, Host: w.address, Path: "/", RawQuery: query.Encode()}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.SetBasicAuth(w.config.User, string(w.config.Password))
	if body != nil {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := w.client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e, ok := err.(*url.Error); ok { // its text repeats the statement
			err = e.Err
		}
		return lost{w.address, err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 4096))
	if response.StatusCode != http.StatusOK {
		return &refused{w.address, response.StatusCode, strings.TrimSpace(string(text))}
	}
	if err != nil {
		return lost{w.address, err}
	}
	return nil
}

// insertTime is how long one block may take on its way.
const insertTime = 30 * time.Minute
