package accesslog

import "bytes"

func (l *w3cLayout) Parse(line []byte, h *Hit) error {
	line = h.reset(line)
	switch {
	case len(line) == 0:
		return skipEmpty
	case line[0] == '#':
		return skipDirective
	}
	var values [columnCount][]byte
	verbatim, err := l.split(line, &values)
	if err != nil {
		return err
	}
	if err := l.time(&values, h); err != nil {
		return err
	}
	if err := h.setStatus(values[columnStatus]); err != nil {
		return err
	}
	method := value(values[columnMethod])
	if len(method) == 0 {
		return skipNoRequest
	}
	h.UserAgent = l.userAgent(value(values[columnUserAgent]), verbatim, h)
	h.Referrer = l.url(value(values[columnReferrer]), h)
	h.IP = address(value(values[columnIP]))
	h.Host = hostName(value(values[columnViewerHost]))
	if len(h.Host) == 0 {
		h.Host = hostName(value(values[columnHost]))
	}
	return h.asked(method, l.target(&values, h))
}

// split finds the values of a line, and whether the user agent was quoted. The
// first separator of the line, a tab or a space, is that of all.
func (l *w3cLayout) split(line []byte, values *[columnCount][]byte) (verbatim bool, err error) {
	separator := byte(' ')
	if first := bytes.IndexAny(line, "\t "); first >= 0 {
		separator = line[first]
	}
	if separator == ' ' {
		line = bytes.Trim(line, " ")
	}
	for i, c := range l.columns {
		text, rest, quoted := nextValue(line, separator)
		values[c] = text
		if c == columnUserAgent {
			verbatim = quoted
		}
		if rest == nil && i < len(l.columns)-1 {
			return false, badFewerColumns
		}
		line = rest
	}
	if line != nil {
		return false, badMoreColumns
	}
	return verbatim, nil
}

// nextValue reads a value and what is left after its separator; nil is left
// after the last. Some tools quote values that have spaces.
func nextValue(line []byte, separator byte) (text, rest []byte, quoted bool) {
	end := -1
	if len(line) > 0 && line[0] == '"' {
		if text, end = quotedValue(line, separator); end >= 0 {
			quoted = true
		}
	}
	if !quoted {
		end = bytes.IndexByte(line, separator)
		if end < 0 {
			end = len(line)
		}
		text = line[:end]
	}
	if end == len(line) {
		return text, nil, quoted
	}
	rest = line[end+1:]
	for separator == ' ' && len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return text, rest, quoted
}

// quotedValue reads a value that ends with a quote before a separator, and
// says where; -1 if there is no such quote. Inside, quotes are doubled or escaped.
func quotedValue(line []byte, separator byte) (text []byte, end int) {
	for i := 1; i < len(line); i++ {
		next := bytes.IndexByte(line[i:], '"')
		if next < 0 {
			break
		}
		i += next
		switch {
		case escaped(line[1:i]):
		case i+1 == len(line) || line[i+1] == separator:
			return line[1:i], i + 1
		case line[i+1] == '"':
			i++
		}
	}
	return nil, -1
}

func (l *w3cLayout) time(values *[columnCount][]byte, h *Hit) error {
	if stamp := values[columnTimestamp]; len(stamp) > 0 {
		var ok bool
		if h.Second, ok = h.clock.readTime(stamp); !ok {
			return badValue("bad time", stamp)
		}
		return nil
	}
	day, ok := isoDay(values[columnDate])
	if !ok {
		return badValue("bad time", values[columnDate])
	}
	t := values[columnTime]
	if len(t) < 8 || t[2] != ':' || t[5] != ':' || len(t) > 8 && (t[8] != '.' || !allDigits(t[9:])) {
		return badValue("bad time", t)
	}
	clock, ok := secondOfDay(two(t, 0), two(t, 3), two(t, 6))
	h.Second = day*86400 + clock
	if !ok || h.Second < 0 {
		return badValue("bad time", t)
	}
	return nil
}

// target puts stem and query together.
func (l *w3cLayout) target(values *[columnCount][]byte, h *Hit) []byte {
	stem, query := value(values[columnStem]), value(values[columnQuery])
	if len(stem) == 0 {
		return l.url(value(values[columnURI]), h)
	}
	if len(query) == 0 {
		return l.url(stem, h)
	}
	start := len(h.scratch)
	h.scratch = append(append(append(h.scratch, stem...), '?'), query...)
	return l.url(h.scratch[start:], h)
}

// url undoes CloudFront's encoding of a URL, which is already encoded.
func (l *w3cLayout) url(text []byte, h *Hit) []byte {
	if !l.cloudFront || !bytes.Contains(text, []byte("%25")) {
		return text
	}
	start := len(h.scratch)
	h.scratch = appendSingleEncoded(h.scratch, text)
	return h.scratch[start:]
}

// userAgent undoes the encoding of a user agent. CloudFront percent-encodes,
// at times twice; IIS writes plus signs for spaces.
func (l *w3cLayout) userAgent(text []byte, verbatim bool, h *Hit) []byte {
	start := len(h.scratch)
	switch {
	case verbatim && !l.cloudFront:
		if bytes.IndexByte(text, '"') < 0 {
			return text
		}
		h.scratch = appendSingleQuoted(h.scratch, text)
	case l.cloudFront || bytes.Contains(text, []byte("%20")):
		if bytes.IndexByte(text, '%') < 0 {
			return text
		}
		h.scratch = appendUserAgent(h.scratch, text)
	case bytes.IndexByte(text, '+') < 0:
		return text
	default:
		h.scratch = appendSpaced(h.scratch, text)
	}
	return h.scratch[start:]
}
