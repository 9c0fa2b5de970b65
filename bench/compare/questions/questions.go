// Package questions are those that Sightline and the other engines are asked.
// Each is a file in sql: what it asks in words, the request, and the SQL that an
// expert would write; functions in dialect.go spell what engines spell
// differently, and the larger statements are in sql/shared, those for ClickHouse
// in files of their own, because it has arrays and the one of 2018 has neither
// CTEs nor window functions.
package questions

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/bench/compare/engines"
)

//go:embed sql
var files embed.FS

// Question is one of them.
type Question struct {
	Number  int
	Name    string // of its file
	Title   string
	Request string  // path and query
	AtLeast float64 // how often faster than the best engine Sightline must be
	order   string
	text    string
}

// All reads all questions.
func All() (all []*Question, err error) {
	names, err := fs.Glob(files, "sql/*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		q, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, q)
	}
	return all, nil
}

// read takes a file apart: comments say what is asked, the rest is SQL.
func read(name string) (*Question, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	number, short, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".sql"), "-")
	q := &Question{Name: short, AtLeast: 1}
	if q.Number, err = strconv.Atoi(number); err != nil {
		return nil, err
	}
	rest := string(text)
	for strings.HasPrefix(rest, "-- ") {
		var line string
		line, rest, _ = strings.Cut(rest[3:], "\n")
		switch word, value, _ := strings.Cut(line, " "); {
		case q.Title == "":
			q.Title = line
		case word == "GET":
			q.Request = value
		case word == "order:":
			q.order = value
		case strings.HasPrefix(line, "at least: "):
			if q.AtLeast, err = strconv.ParseFloat(strings.TrimPrefix(line, "at least: "), 64); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("unknown comment %q", line)
		}
	}
	q.text = rest
	return q, nil
}

// route is the last part of the request's path, and its query.
func (q *Question) route() (name, query string) {
	p, query, _ := strings.Cut(q.Request, "?")
	return path.Base(p), query
}

// Answers says whether the question is about prompts or citations.
func (q *Question) Answers() bool {
	name, _ := q.route()
	return name != "timeseries"
}

// WithDays is the same question about the last days of the data.
func (q *Question) WithDays(days int, end time.Time) *Question {
	again := *q
	p, query, _ := strings.Cut(q.Request, "?")
	var parts []string
	for part := range strings.SplitSeq(query, "&") {
		switch name, _, _ := strings.Cut(part, "="); name {
		case api.ParamDateFrom:
			part = name + "=" + end.AddDate(0, 0, -days).Format(time.RFC3339)
		case api.ParamDateTo:
			part = name + "=" + end.Add(-time.Second).Format(time.RFC3339)
		}
		parts = append(parts, part)
	}
	again.Request = p + "?" + strings.Join(parts, "&")
	return &again
}

// SQL is the question in an engine's dialect: one statement, or several whose
// results make up the answer.
func (q *Question) SQL(d engines.Dialect) ([]string, error) {
	_, query := q.route()
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	t, err := q.parse(d, values)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, nil); err != nil {
		return nil, err
	}
	var all []string
	for part := range strings.SplitSeq(text.String(), "-- part\n") {
		all = append(all, strings.TrimSpace(part))
	}
	if q.order == "" {
		return all, nil
	}
	request, err := api.DecodeTimeseries(query)
	if err != nil {
		return nil, err
	}
	return []string{page(d, all[0], q.order, request)}, nil
}

func (q *Question) parse(d engines.Dialect, values url.Values) (*template.Template, error) {
	t := template.New("question").Funcs(functions(d, values))
	shared, err := fs.Glob(files, "sql/shared/*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range shared {
		short, clickhouse := strings.CutSuffix(path.Base(name), ".clickhouse.sql")
		short = strings.TrimSuffix(short, ".sql")
		if clickhouse != isClickHouse(d) {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if _, err := t.New(short).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	// What the shared statements name must exist, also where they are not used.
	if _, err := t.New("chosen").Parse(""); err != nil {
		return nil, err
	}
	return t.Parse(q.text)
}
