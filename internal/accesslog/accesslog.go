// Package accesslog reads what a line of an access log says: when, who, what
// was asked for and what was answered. It is pure: it reads bytes, not files,
// and uses the standard library only. Splitting files into lines, unpacking
// them, and deciding what is a visit and whose is its caller's.
//
// A Format is found by Detect, by ByName, or made by ParseFieldMap. It gives
// the Layout that reads its lines:
//
//	format, err := accesslog.Detect(firstLines)
//	layout := format.Layout()
//	for _, line := range lines {
//		if l, directive, err := format.Directive(line); directive {
//			… layout = l, if there is one
//		}
//		for entry := range accesslog.Entries(line) {
//			err := layout.Parse(entry, &hit)
//		}
//	}
//
// Parsing does not allocate, but for what it has to say about malformed lines.
package accesslog

import (
	"bytes"
	"fmt"
)

// Hit is a request as a log tells of it. Its slices point into the line or into
// a buffer of the Hit and are valid until the next line is parsed into it. The
// zero Hit is ready for use; each goroutine needs its own.
type Hit struct {
	Second    int64  // Unix seconds
	Host      []byte // as logged, without port; that of an absolute target if the log has no other; may be empty
	Method    []byte
	Status    int    // 100 to 599
	Target    []byte // path with query as requested, or an absolute URL; never empty, valid UTF-8 without control characters
	UserAgent []byte // unescaped; empty for "-"
	Referrer  []byte // unescaped; empty for "-"
	IP        []byte // textual client address without port; may be empty, or a name where the server looks names up

	// ID is the source's id of the request where one request can be told by
	// several lines (Vercel: each line that a function prints); else empty.
	ID []byte

	scratch []byte
	clock   clock
	picked  [maxSlots]scalar
}

// Layout reads the lines of one log. It is safe for concurrent use.
type Layout interface {
	// Parse returns nil, *Skip or *Bad. What it leaves in h counts only with nil.
	Parse(line []byte, h *Hit) error
}

// Format is a kind of log.
type Format interface {
	// Name is the format's name on the command line.
	Name() string
	// Layout reads lines before any directive; nil if the format needs one.
	Layout() Layout
	// Directive tells lines that speak of the lines after them. One that changes
	// the layout gives the new one; an error says why it cannot be used.
	Directive(line []byte) (l Layout, isDirective bool, err error)
}

// Skip is the verdict on a line that is sound but is no request to count.
type Skip struct {
	Reason string // one of few, to be counted
}

func (s *Skip) Error() string { return s.Reason }

// Bad is the verdict on a malformed line.
type Bad struct {
	Reason string // one of few, to be counted
	Detail string // about this line; may be empty
}

func (b *Bad) Error() string {
	if b.Detail == "" {
		return b.Reason
	}
	return b.Reason + ": " + b.Detail
}

// Verdicts that need no detail.
var (
	skipEmpty       = &Skip{"empty line"}
	skipDirective   = &Skip{"W3C directive"}
	skipNoRequest   = &Skip{"no request was read"}
	skipNoTarget    = &Skip{"request line without a target"}
	skipNoProtocol  = &Skip{"request line without a protocol"}
	skipNotHTTP     = &Skip{"request line is not HTTP"}
	skipNoPage      = &Skip{"request for no page"}
	skipNoAnswer    = &Skip{"no answer was sent"}
	badNoQuote      = &Bad{Reason: "no closing quote"}
	badNoRequest    = &Bad{Reason: "missing field: request"}
	badNoUserAgent  = &Bad{Reason: "missing field: user agent", Detail: "the line ends before it, as in the common log format"}
	badFewerColumns = &Bad{Reason: "wrong number of values", Detail: "fewer than #Fields names"}
	badMoreColumns  = &Bad{Reason: "wrong number of values", Detail: "more than #Fields names"}
)

// badValue is the verdict on a value that cannot be read.
func badValue(reason string, value []byte) error {
	return &Bad{Reason: reason, Detail: shorten(value)}
}

// shorten quotes as much of a value as a person wants to see.
func shorten(value []byte) string {
	const enough = 80
	if len(value) > enough {
		return fmt.Sprintf("%q…", value[:enough])
	}
	return fmt.Sprintf("%q", value)
}

// maxScratch is what a Hit keeps for its next line, so that one enormous line
// does not hold its memory for good.
const maxScratch = 1 << 16

// reset prepares h for a line and returns the line without what the ends of
// lines and files leave on it.
func (h *Hit) reset(line []byte) []byte {
	if cap(h.scratch) > maxScratch {
		h.scratch = nil
	}
	h.Second, h.Status = 0, 0
	h.Host, h.Method, h.Target, h.UserAgent, h.Referrer, h.IP, h.ID = nil, nil, nil, nil, nil, nil, nil
	h.scratch = h.scratch[:0]
	return trimLine(line)
}

func trimLine(line []byte) []byte {
	if len(line) > 0 && line[0] == 0xEF {
		line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	}
	for n := len(line); n > 0 && (line[n-1] == '\r' || line[n-1] == '\n'); n = len(line) {
		line = line[:n-1]
	}
	return line
}

// setStatus reads a status. Servers write 000, 0 or -1 when nobody was left to
// answer.
func (h *Hit) setStatus(text []byte) error {
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(text) == 0 || len(digits) > 3 {
		return badValue("bad status", text)
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return badValue("bad status", text)
		}
		h.Status = h.Status*10 + int(c-'0')
	}
	switch {
	case len(digits) < len(text), h.Status < 100:
		return skipNoAnswer
	case h.Status > 599:
		return badValue("bad status", text)
	}
	return nil
}

// value is a logged value, of which "-" says that there is none.
func value(text []byte) []byte {
	if len(text) == 1 && text[0] == '-' {
		return nil
	}
	return text
}
