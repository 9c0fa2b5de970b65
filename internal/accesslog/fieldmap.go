package accesslog

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

const fieldMapName = "fields"

// maxFieldMap is how much of a field map is read, in bytes.
const maxFieldMap = 1 << 16

// mapped are the names of a field map, in the order in which they are listed.
var mapped = []struct {
	name  string
	field field
	must  bool
}{
	{"time", fieldTime, true}, {"target", fieldTarget, true}, {"userAgent", fieldUserAgent, true},
	{"method", fieldMethod, false}, {"status", fieldStatus, false}, {"host", fieldHost, false},
	{"referrer", fieldReferrer, false}, {"ip", fieldIP, false},
}

// ParseFieldMap reads a user's description of a log in JSON, itself a JSON
// object of our names and the paths at which the log has them:
//
//	{"time": "ts", "target": "req.url", "userAgent": "req.headers.user-agent", "ip": "client.ips[0]"}
//
// Dots go into objects, [0] into lists, and a backslash before a dot, a bracket
// or a backslash makes it part of a key. Needed are time, target and userAgent;
// method, status, host, referrer and ip may be given. Without method or status
// a request is a GET and its status 200.
func ParseFieldMap(r io.Reader) (Format, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFieldMap+1))
	if err != nil {
		return nil, fmt.Errorf("the field map: %w", err)
	}
	if len(text) > maxFieldMap {
		return nil, fmt.Errorf("the field map is longer than %d bytes", maxFieldMap)
	}
	var paths map[string]string
	if err := json.Unmarshal(trimLine(text), &paths); err != nil {
		return nil, fmt.Errorf("the field map is not a JSON object of names and paths, as {\"time\": \"ts\", …}: %w", err)
	}
	s := &source{name: fieldMapName, chosen: true, nginx: true}
	var missing []string
	for _, m := range mapped {
		path, ok := paths[m.name]
		delete(paths, m.name)
		switch {
		case ok:
			s.fields[m.field] = []string{path}
		case m.must:
			missing = append(missing, m.name)
		}
	}
	if err := unknownNames(paths); err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the field map must also say where to find %s", strings.Join(missing, ", "))
	}
	layout, err := newJSONLayout(s)
	if err != nil {
		return nil, fmt.Errorf("the field map: %w", err)
	}
	return fieldMapFormat{jsonFormat{fieldMapName, layout}, s}, nil
}

// fieldMapFormat is a log as a user describes it.
type fieldMapFormat struct {
	jsonFormat
	source *source
}

// Missed lists the fields that a user's field map looks for where none of the
// lines has them, although every request has one: such a map is wrong, and
// without a word all requests would be GETs with status 200.
func Missed(f Format, lines [][]byte) (missed []string) {
	own, ok := f.(fieldMapFormat)
	if !ok {
		return nil
	}
	entries := firstEntries(lines)
	for _, m := range mapped {
		if m.field != fieldMethod && m.field != fieldStatus || len(own.source.fields[m.field]) == 0 {
			continue
		}
		path := own.source.fields[m.field][0]
		steps, err := parsePath(path)
		if err == nil && !slices.ContainsFunc(entries, func(entry []byte) bool { return has(entry, steps) }) {
			missed = append(missed, fmt.Sprintf("%s (%s)", path, m.name))
		}
	}
	return missed
}

// has says whether a JSON object has a value at a path.
func has(entry []byte, steps []step) bool {
	var value any
	if json.Unmarshal(trimLine(entry), &value) != nil {
		return true // that is another mistake
	}
	for _, s := range steps {
		switch v := value.(type) {
		case map[string]any:
			value = v[s.key]
		case []any:
			if !s.list || s.index >= len(v) {
				return false
			}
			value = v[s.index]
		default:
			return false
		}
	}
	return value != nil
}

// unknownNames is an error if there are any.
func unknownNames(paths map[string]string) error {
	if len(paths) == 0 {
		return nil
	}
	var unknown, known []string
	for name := range paths {
		unknown = append(unknown, fmt.Sprintf("%q", name))
	}
	slices.Sort(unknown)
	for _, m := range mapped {
		known = append(known, m.name)
	}
	return fmt.Errorf("the field map has %s; known are %s", strings.Join(unknown, ", "), strings.Join(known, ", "))
}
