// Package rate sends requests at a fixed rate, whether or not the answers keep
// up, and measures each from the moment it was due: a server that stalls is not
// spared the requests that would have come meanwhile.
package rate

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Outcome is how the answers came.
type Outcome struct {
	Requests      int
	Rate          float64 // a second, reached
	P50, P99, Max time.Duration
}

// Run sends a request again and again over several connections. The request is
// written as it goes over the wire.
func Run(ctx context.Context, address string, request []byte, perSecond float64, connections int, length time.Duration) (Outcome, error) {
	total := int(perSecond * length.Seconds())
	due := make(chan time.Time, total) // never full: who sends is never held up
	started := time.Now()
	go func() {
		defer close(due)
		for i := range total {
			at := started.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
			if wait := time.Until(at); wait > time.Millisecond {
				select {
				case <-ctx.Done():
					return
				case <-time.After(wait):
				}
			}
			due <- at
		}
	}()
	var mu sync.Mutex
	var all []time.Duration
	var failed error
	var group sync.WaitGroup
	for range connections {
		group.Go(func() {
			times, err := worker(address, request, due)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			failed = errors.Join(failed, err)
		})
	}
	group.Wait()
	if failed != nil || len(all) == 0 {
		return Outcome{}, errors.Join(failed, ctx.Err())
	}
	slices.Sort(all)
	took := time.Since(started)
	return Outcome{
		Requests: len(all), Rate: float64(len(all)) / took.Seconds(),
		P50: all[len(all)/2], P99: all[len(all)*99/100], Max: all[len(all)-1],
	}, nil
}

// worker sends over one connection what is due.
func worker(address string, request []byte, due <-chan time.Time) (times []time.Duration, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for at := range due {
		if _, err := conn.Write(request); err != nil {
			return times, err
		}
		if err := readResponse(in); err != nil {
			return times, err
		}
		times = append(times, time.Since(at))
	}
	return times, nil
}

// readResponse reads one response with a length, or a 304.
func readResponse(in *bufio.Reader) error {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) && !bytes.HasPrefix(status, []byte("HTTP/1.1 304")) {
		return fmt.Errorf("unexpected answer: %s", bytes.TrimSpace(status))
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(":")); textproto.CanonicalMIMEHeaderKey(string(name)) == "Content-Length" {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	_, err = io.CopyN(io.Discard, in, int64(length))
	return err
}
