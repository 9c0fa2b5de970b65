package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sightline-hq/sightline/internal/csvrecord"
)

// fieldNames are the fields of a source that is not a log, and which of them a
// table must have.
var fieldNames = map[Source]struct{ all, required []string }{
	Answers: {
		all:      []string{"id", "promptId", "platform", "at", "text", "mentions", "citations"},
		required: []string{"id", "promptId", "platform", "at"},
	},
	Pageviews: {
		all: []string{"id", "at", "websiteId", "url", "method", "status", "userAgent", "referrer", "ip", "visitorId",
			"platform", "botType"},
		required: []string{"at", "websiteId", "url"},
	},
}

// rowReader reads a row of a table, given what is not empty in it by field.
type rowReader interface {
	readRow(row func(set func(field, value string) *rejection) *rejection, d *desk, r *results)
}

// table reads CSV: the first line names the columns.
type table struct {
	*tableReader
	header int // length of the first line; 0 once it was seen
}

// tableReader reads the rows of a table.
type tableReader struct {
	format *csvrecord.Format
	fields []string // by column; empty: ignored
	rows   rowReader
}

// newTable recognises a table by its first line; it is nil if that is none.
func newTable(start []byte, source Source, rows rowReader) (*table, error) {
	line := firstLine(start)
	text := bytes.TrimSpace(line)
	if len(text) == 0 || text[0] == '{' || text[0] == '[' {
		return nil, nil
	}
	names := fieldNames[source]
	if bytes.HasPrefix(bytes.ToLower(text), []byte("sep=")) {
		return nil, errors.New("the first line is Excel's sep= line: remove it, so that the names of the columns come first")
	}
	format, err := csvrecord.ParseHeader(line)
	switch {
	case err != nil && mentionsAny(line, names.required):
		return nil, fmt.Errorf("the header: %w", err)
	case err != nil || !nameList(format.Columns).hasAny(names.required):
		return nil, nil
	}
	if len(line) == len(start) && len(start) == startBytes {
		return nil, fmt.Errorf("the header is longer than %d KiB", startBytes>>10)
	}
	t := &tableReader{format: format, rows: rows}
	for _, column := range format.Columns {
		t.fields = append(t.fields, nameList(names.all).like(column))
	}
	return &table{t, min(len(line)+1, len(start))}, missingColumns("header", format.Columns, source)
}

// missingColumns is an error if a table lacks columns that every row needs.
func missingColumns(where string, columns []string, source Source) error {
	for _, field := range fieldNames[source].required {
		if nameList(columns).like(field) == "" {
			return fmt.Errorf("the %s has no column %s: it needs %s", where, field, strings.Join(fieldNames[source].required, ", "))
		}
	}
	return nil
}

func mentionsAny(line []byte, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(line, []byte(name)) })
}

// nameList is a list of names, compared without regard to case, as JSON's are.
type nameList []string

func (n nameList) like(name string) string {
	for _, one := range n {
		if strings.EqualFold(one, name) {
			return one
		}
	}
	return ""
}

func (n nameList) hasAny(names []string) bool {
	for _, name := range names {
		if n.like(name) != "" {
			return true
		}
	}
	return false
}

func (t *table) directive(text []byte) (before, size int, err error) {
	size, t.header = t.header, 0
	if size > 0 {
		return 0, size, nil
	}
	return len(text), 0, nil
}

func (t *table) reader() reader { return t.tableReader }

// record is a line, and the lines after it while a quoted field goes on.
func (t *tableReader) record(text []byte) int {
	for end, open := 0, false; ; {
		n := bytes.IndexByte(text[end:], '\n') + 1
		if n == 0 {
			return 0
		}
		open = t.format.OpenAfter(text[end:end+n], open)
		end += n
		if !open {
			return end
		}
	}
}

func (t *tableReader) cut(text []byte) (end int) {
	if bytes.IndexByte(text, '"') < 0 {
		return lines{}.cut(text)
	}
	for {
		n := t.record(text[end:])
		if n == 0 {
			return end
		}
		end += n
	}
}

// complete cannot tell: a cell may be cut off anywhere. But where the text ends
// with a line and no record does, a quote was not closed.
func (t *tableReader) complete(text []byte) bool { return bytes.HasSuffix(text, []byte("\n")) }

func (t *tableReader) read(text []byte, d *desk, r *results) {
	if !utf8.Valid(text) {
		r.reject(notUTF8, "")
		return
	}
	fields, err := t.format.Fields(text, d.fields)
	d.fields = fields
	if err != nil {
		r.reject("bad CSV", "%s", err)
		return
	}
	t.rows.readRow(func(set func(field, value string) *rejection) *rejection {
		for i, value := range fields {
			if t.fields[i] == "" || value == "" {
				continue // an empty cell is as a field that is missing
			}
			if why := set(t.fields[i], value); why != nil {
				return why
			}
		}
		return nil
	}, d, r)
}

func (p *pageviews) readRow(row func(set func(field, value string) *rejection) *rejection, d *desk, r *results) {
	l := pageviewLine{Method: "GET"}
	why := row(func(field, value string) *rejection {
		if to := l.text(field); to != nil {
			*to = value
			return nil
		}
		n, err := strconv.Atoi(strings.TrimSpace(value))
		l.Status = &n
		return wrongNumber(field, value, err)
	})
	if why != nil {
		r.refuse(why)
		return
	}
	p.take(&l, d, r)
}

// text is where a field is kept that is text: all but the status.
func (l *pageviewLine) text(field string) *string {
	switch field {
	case "id":
		return &l.ID
	case "at":
		return &l.At
	case "websiteId":
		return &l.WebsiteID
	case "url":
		return &l.URL
	case "method":
		return &l.Method
	case "userAgent":
		return &l.UserAgent
	case "referrer":
		return &l.Referrer
	case "ip":
		return &l.IP
	case "visitorId":
		return &l.VisitorID
	case "platform":
		return &l.Platform
	case "botType":
		return &l.BotType
	}
	return nil
}

func (a *answers) readRow(row func(set func(field, value string) *rejection) *rejection, _ *desk, r *results) {
	var l answerLine
	why := row(func(field, value string) *rejection {
		switch field {
		case "promptId":
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			l.PromptID = &n
			return wrongNumber(field, value, err)
		case "text":
			l.Text = &value
		case "mentions":
			return wrongList(field, `[{"productId":101,"position":1}]`, json.Unmarshal([]byte(value), &l.Mentions))
		case "citations":
			return wrongList(field, `["https://example.com/"]`, json.Unmarshal([]byte(value), &l.Citations))
		case "id":
			l.ID = value
		case "platform":
			l.Platform = value
		case "at":
			l.At = value
		}
		return nil
	})
	if why != nil {
		r.refuse(why)
		return
	}
	a.take(&l, r)
}

func wrongNumber(field, value string, err error) *rejection {
	if err == nil {
		return nil
	}
	return &rejection{wrongType, fmt.Sprintf("%s: %s is no whole number", field, shorten(value))}
}

func wrongList(field, example string, err error) *rejection {
	if err == nil {
		return nil
	}
	return &rejection{wrongType, fmt.Sprintf("%s: not a JSON list such as %s", field, example)}
}
