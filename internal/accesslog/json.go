package accesslog

import "strings"

// field is what a hit is made of.
type field int

const (
	fieldTime field = iota
	fieldTarget
	fieldUserAgent
	fieldMethod
	fieldStatus
	fieldRequest // a request line: target and method where these are missing
	fieldHost
	fieldReferrer
	fieldIP
	fieldID
	fieldCount
)

var fieldNames = [fieldCount]string{
	"time", "target", "user agent", "method", "status", "request", "host", "referrer", "ip", "id",
}

// source describes a log in JSON: where in a line the fields are, as paths in
// order of preference, and which lines are no requests.
type source struct {
	name   string
	title  string // its name to people
	fields [fieldCount][]string
	chosen bool     // users choose the fields; without method and status it is GET and 200
	nginx  bool     // strings may have \xHH
	signs  []string // paths by which it is known even if it cannot be used
	advice string   // how to switch on what may be missing

	watch [2]string               // paths of what guard looks at, or one
	guard func(a, b scalar) *Skip // says which lines are no requests; may be nil
}

// jsonFormat is a log in JSON, one object a line.
type jsonFormat struct {
	name   string
	layout *jsonLayout
}

func (f jsonFormat) Name() string                           { return f.name }
func (f jsonFormat) Layout() Layout                         { return f.layout }
func (f jsonFormat) Directive([]byte) (Layout, bool, error) { return nil, false, nil }

// maxSlots is how many values a layout may pick from a line.
const maxSlots = 28

// jsonLayout is a source with its paths merged.
type jsonLayout struct {
	source  *source
	tree    *tree
	fields  [fieldCount][]int // slots, in order of preference
	headers []int             // slots of the objects that hold a header named User-Agent
	watched [2]int
	missing [fieldCount]*Bad
}

func newJSONLayout(s *source) (*jsonLayout, error) {
	l := &jsonLayout{source: s, tree: newTree()}
	for f, paths := range s.fields {
		for _, path := range paths {
			steps, err := parsePath(path)
			if err != nil {
				return nil, err
			}
			l.fields[f] = append(l.fields[f], l.tree.add(steps))
			last := steps[len(steps)-1]
			if field(f) == fieldUserAgent && len(steps) > 1 && strings.EqualFold(last.key, "User-Agent") {
				l.headers = append(l.headers, l.tree.add(steps[:len(steps)-1]))
			}
		}
		l.missing[f] = &Bad{Reason: "missing field: " + fieldNames[f], Detail: "no " + strings.Join(paths, ", no ")}
	}
	for i, path := range s.watch {
		if path == "" {
			continue
		}
		steps, err := parsePath(path)
		if err != nil {
			return nil, err
		}
		l.watched[i] = l.tree.add(steps)
	}
	if l.tree.slots > maxSlots {
		panic("accesslog: too many paths in " + s.name)
	}
	return l, nil
}

func (l *jsonLayout) Parse(line []byte, h *Hit) error {
	line = h.reset(line)
	clear(h.picked[:l.tree.slots])
	s := scanner{data: line, nginx: l.source.nginx, scratch: h.scratch, picked: &h.picked}
	if s.space(0) == len(line) {
		return skipEmpty
	}
	if !s.document(&l.tree.root) {
		return s.bad()
	}
	h.scratch = s.scratch[:0]
	if guard := l.source.guard; guard != nil {
		if skip := guard(h.picked[l.watched[0]], h.picked[l.watched[1]]); skip != nil {
			return skip
		}
	}
	return l.fill(h)
}

// fill makes a hit of the values picked.
func (l *jsonLayout) fill(h *Hit) error {
	stamp, _ := l.pick(fieldTime, h)
	if len(stamp) == 0 {
		return l.missing[fieldTime]
	}
	var ok bool
	if h.Second, ok = h.clock.readTime(stamp); !ok {
		return badValue("bad time", stamp)
	}
	if h.UserAgent, ok = l.pick(fieldUserAgent, h); !ok && !l.hasHeaders(h) {
		return l.missing[fieldUserAgent]
	}
	text, _ := l.pick(fieldHost, h)
	h.Host = hostName(text)
	if err := l.answer(h); err != nil {
		return err
	}
	if err := l.asked(h); err != nil {
		return err
	}
	h.Referrer, _ = l.pick(fieldReferrer, h)
	text, _ = l.pick(fieldIP, h)
	h.IP = address(text)
	h.ID, _ = l.pick(fieldID, h)
	return nil
}

func (l *jsonLayout) answer(h *Hit) error {
	status, ok := l.pick(fieldStatus, h)
	switch {
	case ok:
		return h.setStatus(status)
	case l.source.chosen:
		h.Status = 200
		return nil
	}
	return l.missing[fieldStatus]
}

var get = []byte("GET")

// asked finds method and target, or the request line that has both.
func (l *jsonLayout) asked(h *Hit) error {
	method, hasMethod := l.pick(fieldMethod, h)
	target, hasTarget := l.pick(fieldTarget, h)
	if !hasMethod || !hasTarget {
		if line, ok := l.pick(fieldRequest, h); ok {
			if err := h.request(line); err != nil || !hasTarget {
				return err
			}
			method = h.Method
		} else if !hasTarget {
			return l.missing[fieldTarget]
		} else if !l.source.chosen {
			return l.missing[fieldMethod]
		} else {
			method = get
		}
	}
	if len(method) == 0 {
		return skipNoRequest
	}
	return h.asked(method, target)
}

// pick finds the best value of a field: the first that says something, and
// whether the line has any at all.
func (l *jsonLayout) pick(f field, h *Hit) (text []byte, ok bool) {
	for _, slot := range l.fields[f] {
		v := &h.picked[slot]
		switch v.kind {
		case kindNone, kindNull, kindBool, kindObject:
			continue
		}
		ok = true
		if text = value(v.text); len(text) == 0 {
			continue
		}
		if v.escaped {
			start := len(h.scratch)
			h.scratch = appendString(h.scratch, text)
			text = h.scratch[start:]
		}
		return text, true
	}
	return nil, ok
}

// hasHeaders says whether the line tells the headers of the request, so that a
// User-Agent that is not among them was not sent.
func (l *jsonLayout) hasHeaders(h *Hit) bool {
	for _, slot := range l.headers {
		if h.picked[slot].kind == kindObject {
			return true
		}
	}
	return false
}
