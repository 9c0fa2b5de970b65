package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/accesslog"
)

// wrongSource recognises input that is loaded as what it is not, by its first
// lines. What it does not recognise is read line by line.
func wrongSource(start []byte, source Source) error {
	line := bytes.TrimSpace(firstLine(bytes.TrimSpace(start)))
	if source != Logs && bytes.HasPrefix(line, []byte("[")) { // some log drains send lists
		return errors.New("the file is a JSON array: write one object a line, for example with jq -c '.[]'")
	}
	if bytes.HasPrefix(line, []byte("{")) {
		if is := looksLike(line); is != "" && is != source {
			return fmt.Errorf("these look like %s: load them with 'sightline load %s'", is, is)
		}
	}
	if source == Logs || bytes.HasPrefix(line, []byte("{")) && looksLike(line) == source {
		return nil
	}
	if format, err := accesslog.Detect(bytes.Split(start, []byte("\n"))); err == nil {
		return fmt.Errorf("this is an access log (%s): load it with 'sightline load logs'", format.Name())
	}
	if len(line) > 0 && line[0] != '{' && !anyObject(start) {
		names := fieldNames[source].required
		return fmt.Errorf("the first line is neither a JSON object nor the header of a table: a table needs the columns %s "+
			"(separated by commas, semicolons or tabs)", strings.Join(names, ", "))
	}
	return nil
}

// looksLike says what a JSON object is, if it has what only that has.
func looksLike(line []byte) Source {
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil {
		return ""
	}
	has := func(names ...string) bool {
		for _, name := range names {
			if _, ok := object[name]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("promptId", "at"):
		return Answers
	case has("websiteId", "url"):
		return Pageviews
	}
	return ""
}

// anyObject says whether any of the first lines may be a JSON object.
func anyObject(start []byte) bool {
	for line := range bytes.Lines(start) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
			return true
		}
	}
	return false
}
