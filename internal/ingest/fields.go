package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// Reasons that are counted. What a line was about is its detail.
const (
	notJSON        = "not a JSON object"
	notUTF8        = "not valid UTF-8"
	wrongType      = "field of a wrong type"
	missingField   = "missing field"
	badTime        = "bad time"
	badField       = "bad field"
	unknownPrompt  = "unknown prompt"
	unknownWebsite = "unknown website"
	badMention     = "bad mention"
	badCitation    = "bad citation"
	badURL         = "bad url"
	maxNameBytes   = 100 // of platforms and bot types
	maxIDBytes     = 512
	maxAgentBytes  = 8192
	maxPosition    = 10_000
)

// decode reads a JSON object into a struct.
func decode(text []byte, into any) *rejection {
	if !utf8.Valid(text) {
		return &rejection{notUTF8, ""}
	}
	if text = bytes.TrimSpace(text); len(text) == 0 || text[0] != '{' {
		return &rejection{notJSON, "one object a line is expected"}
	}
	err := json.Unmarshal(text, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return &rejection{wrongType, fmt.Sprintf("%s: %s", wrong.Field, wrong.Value)}
	default:
		return &rejection{notJSON, err.Error()}
	}
}

// second reads the time of an event; a part of a second is cut off (S1).
func second(at string) (int64, *rejection) {
	if at == "" {
		return 0, &rejection{missingField, "at"}
	}
	t, err := api.ParseTime(at)
	if err != nil {
		return 0, &rejection{badTime, err.Error()}
	}
	unix := t.Unix()
	if unix < facts.FirstSecond || unix > facts.LastSecond {
		return 0, &rejection{badTime, fmt.Sprintf("%s is not between 2000 and 2100", at)}
	}
	return unix, nil
}

// name checks a platform, a bot type or an id.
func name(field, value string, limit int) *rejection {
	switch {
	case len(value) > limit:
		return &rejection{badField, fmt.Sprintf("%s is longer than %d bytes", field, limit)}
	case strings.ContainsFunc(value, unicode.IsControl):
		return &rejection{badField, field + " has control characters"}
	case strings.TrimSpace(value) != value:
		return &rejection{badField, field + " has white space around it"}
	}
	return nil
}
