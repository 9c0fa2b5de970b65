package fuzz

import (
	"bufio"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// answerTime is how long an answer may take before the run ends.
const answerTime = 30 * time.Second

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// conn is a connection from an address of its own: a server that slows down
// those whose keys are wrong must not slow down everybody.
type conn struct {
	net.Conn
	in *bufio.Reader
}

func dial(address string, random *rand.Rand) (*conn, error) {
	from := net.IPv4(127, byte(1+random.IntN(250)), byte(random.IntN(250)), byte(1+random.IntN(250)))
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: answerTime}
	c, err := d.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &conn{c, bufio.NewReaderSize(c, 16<<10)}, nil
}

// exchange sends requests in one piece and reads their answers. Fewer answers
// than requests without an error mean that the server closed the connection after
// the last one, as it said.
func (c *conn) exchange(requests []Request) (answers []answer, open bool, err error) {
	if err := c.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, false, err
	}
	sent := make(chan error, 1)
	go func() { // beside reading: both buffers may be full
		var wire []byte
		for _, r := range requests {
			wire = append(wire, r.Wire...)
		}
		_, err := c.Write(wire)
		sent <- err
	}()
	defer func() { <-sent }() // a server may refuse before it has read all
	for _, r := range requests {
		a, open, err := c.read(r)
		if err != nil {
			c.Close()
			return answers, false, err
		}
		answers = append(answers, a)
		if !open || r.Last {
			c.Close()
			return answers, false, nil
		}
	}
	return answers, true, nil
}

func (c *conn) read(r Request) (a answer, open bool, err error) {
	asked := &http.Request{Method: http.MethodGet}
	if r.Head {
		asked.Method = http.MethodHead
	}
	for {
		res, err := http.ReadResponse(c.in, asked)
		if err != nil {
			return a, false, err
		}
		if res.StatusCode < 200 {
			continue
		}
		a = answer{status: res.StatusCode, header: res.Header}
		a.body, err = io.ReadAll(res.Body)
		if err != nil {
			return a, false, errors.Join(errors.New("the answer was cut"), err)
		}
		return a, !res.Close, nil
	}
}
