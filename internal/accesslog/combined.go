package accesslog

import "bytes"

// combinedFormat is the combined log format of nginx and Apache:
//
//	192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 512 "https://example.com/" "Mozilla/5.0 …"
//
// With vhost, the server's name comes first, as in Apache's vhost_combined:
//
//	example.com:443 192.0.2.1 - - […
//
// Whatever follows the user agent is ignored.
type combinedFormat struct {
	vhost bool
}

func (f combinedFormat) Name() string {
	if f.vhost {
		return "vhost-combined"
	}
	return "combined"
}

func (f combinedFormat) Layout() Layout { return f }

func (f combinedFormat) Directive([]byte) (Layout, bool, error) { return nil, false, nil }

func (f combinedFormat) Parse(line []byte, h *Hit) error {
	line = h.reset(line)
	if len(line) == 0 {
		return skipEmpty
	}
	at, err := timeOf(line)
	if err != nil {
		return err
	}
	if err := f.client(line[:at], h); err != nil {
		return err
	}
	var ok bool
	if h.Second, ok = h.clock.read(line[at+1 : at+1+combinedTime]); !ok {
		return badValue("bad time", line[at+1:at+1+combinedTime])
	}
	request, rest, ok := quoted(line[at+len("[02/Jan/2006:15:04:05 -0700] "):])
	if !ok {
		return badNoQuote
	}
	if err := h.answer(rest); err != nil {
		return err
	}
	return h.request(request)
}

// client reads what stands before the time. User names may hold anything and
// are not looked at.
func (f combinedFormat) client(text []byte, h *Hit) error {
	first, rest, _ := bytes.Cut(text, []byte(" "))
	if f.vhost {
		h.Host = hostName(value(first))
		first, rest, _ = bytes.Cut(rest, []byte(" "))
		if len(rest) == 0 || len(first) == 1 && first[0] == '-' {
			return badValue("missing field: host", text)
		}
	}
	h.IP = address(value(first))
	return nil
}

// answer reads what follows the request: status, size and perhaps other
// numbers, referrer, user agent.
func (h *Hit) answer(rest []byte) error {
	rest = bytes.TrimLeft(rest, " ")
	end := bytes.IndexByte(rest, ' ')
	if end < 0 {
		end = len(rest)
	}
	status := h.setStatus(rest[:end])
	if _, bad := status.(*Bad); bad {
		return status
	}
	for _, field := range []*[]byte{&h.Referrer, &h.UserAgent} {
		start := bytes.IndexByte(rest, '"')
		if start < 0 {
			return badNoUserAgent
		}
		text, after, ok := quoted(rest[start:])
		if !ok {
			return badNoQuote
		}
		*field = h.unescape(value(text))
		rest = after
	}
	return status
}

// timeOf finds the bracket before the time. It is the one with the request
// after it: a user name may look like a time, but its quotes are escaped.
func timeOf(line []byte) (int, error) {
	const length = len(`[02/Jan/2006:15:04:05 -0700] "`)
	near := -1
	for at := 0; ; at++ {
		next := bytes.IndexByte(line[at:], '[')
		if next < 0 {
			break
		}
		at += next
		if len(line)-at < length-2 || line[at+3] != '/' || line[at+7] != '/' || line[at+27] != ']' {
			continue
		}
		if len(line)-at >= length && line[at+28] == ' ' && line[at+29] == '"' {
			return at, nil
		}
		near = at
	}
	if near >= 0 {
		return 0, badNoRequest
	}
	return 0, badValue("bad time", line)
}

// looksVHost tells a line that begins with the name of a server from one that
// begins with a client. The line must have a time.
func looksVHost(line []byte) bool {
	at, err := timeOf(line)
	if err != nil {
		return false
	}
	fields := bytes.Fields(line[:at])
	if len(fields) < 4 || bytes.HasSuffix(fields[0], []byte(",")) {
		return false // a list of proxies is a client, too
	}
	return isAddress(fields[1]) || !isAddress(fields[0]) && len(hostName(fields[0])) < len(fields[0])
}
