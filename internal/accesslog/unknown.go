package accesslog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// notText is an error about input that is no text we can read.
func notText(entries [][]byte) error {
	if len(entries) == 0 {
		return errors.New("the log has no lines")
	}
	first := entries[0]
	switch {
	case bytes.HasPrefix(first, []byte("\xFF\xFE")), bytes.HasPrefix(first, []byte("\xFE\xFF")), bytes.IndexByte(first, 0) >= 0:
		return errors.New("the log is not UTF-8 text; if it is UTF-16, convert it first: iconv -f UTF-16 -t UTF-8 FILE")
	case bytes.HasPrefix(first, []byte("PK\x03\x04")), bytes.HasPrefix(first, []byte("BZh")), bytes.HasPrefix(first, []byte("\xFD7zXZ")):
		return errors.New("the log is packed in a way that cannot be read; unpack it first, or pack it with gzip or zstd")
	}
	return nil
}

// unknown says what to do about a log that no format reads.
func unknown(entries [][]byte) error {
	if keys := keysOf(entries); len(keys) > 0 {
		return fmt.Errorf("the log is JSON, but not of a known kind (its keys are %s); "+
			"say in a field map where its fields are, with --fields FILE, as in %s; known kinds are %s",
			strings.Join(keys, ", "), `{"time": "ts", "target": "url", "userAgent": "headers.user-agent"}`, strings.Join(jsonNames(), ", "))
	}
	return fmt.Errorf("the format of the log is not known: it is none of %s (first line: %s); "+
		"say which with --format NAME, or with --fields FILE if it is JSON", strings.Join(Names(), ", "), shorten(entries[0]))
}

// keysOf are the first keys of the first JSON object.
func keysOf(entries [][]byte) []string {
	const enough, longest = 12, 40
	for _, line := range entries {
		var object map[string]json.RawMessage
		if json.Unmarshal(trimLine(line), &object) == nil && len(object) > 0 {
			keys := slices.Sorted(maps.Keys(object))
			if len(keys) > enough {
				keys = append(keys[:enough], "…")
			}
			for i, key := range keys {
				keys[i] = string([]rune(key)[:min(longest, utf8.RuneCountInString(key))])
			}
			return keys
		}
	}
	return nil
}

func jsonNames() (names []string) {
	for i := range sources {
		names = append(names, sources[i].name)
	}
	return names
}
