package api

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"
)

// query reads a query string parameter by parameter and keeps the first
// mistake. Unknown parameters are ignored.
type query struct {
	values url.Values
	failed error
}

// Limits of a query string: longer ones are malformed. What a report costs by its
// lists is bounded by them.
const (
	MaxQuery = 32 << 10 // bytes
	MaxList  = 1000     // values of a list, repeated ones counted
)

func parseQuery(raw string) *query {
	if len(raw) > MaxQuery {
		return &query{failed: fmt.Errorf("query string: longer than %d bytes", MaxQuery)}
	}
	values, err := url.ParseQuery(raw)
	q := &query{values: values}
	if err != nil {
		q.failed = errors.New("query string: malformed escape or separator")
	}
	return q
}

func (q *query) err() error { return q.failed }

func (q *query) fail(name string, err error) {
	if q.failed == nil {
		q.failed = fmt.Errorf("%s: %w", name, err)
	}
}

// optional returns the value of a parameter that may be sent once, or nil.
func (q *query) optional(name string) *string {
	values := q.values[name]
	switch {
	case len(values) == 0:
		return nil
	case len(values) > 1:
		q.fail(name, errors.New("sent more than once"))
	}
	q.check(name, values[0])
	return &values[0]
}

func (q *query) required(name string) string {
	v := q.optional(name)
	if v == nil {
		q.fail(name, errors.New("required"))
		return ""
	}
	return *v
}

// list returns the distinct values of a repeated parameter, in order.
func (q *query) list(name string) (values []string) {
	seen := make(map[string]bool)
	if len(q.values[name]) > MaxList {
		q.fail(name, fmt.Errorf("more than %d values", MaxList))
		return nil
	}
	for _, v := range q.values[name] {
		q.check(name, v)
		if !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	return values
}

// integers returns the distinct numbers of a repeated parameter, ascending.
func (q *query) integers(name string) (values []int64) {
	for _, v := range q.list(name) {
		n, err := integer(v)
		if err != nil {
			q.fail(name, err)
		}
		values = append(values, n)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// positive reads a number of at least 1.
func (q *query) positive(name string, absent int64) int64 {
	v := q.optional(name)
	if v == nil {
		return absent
	}
	n, err := integer(*v)
	if err == nil && n < 1 {
		err = errors.New("must be at least 1")
	}
	if err != nil {
		q.fail(name, err)
	}
	return n
}

func integer(s string) (int64, error) {
	if !digits(s) {
		return 0, errors.New("not a whole number")
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, errors.New("too large")
	}
	return n, nil
}

func (q *query) check(name, value string) {
	switch {
	case value == "":
		q.fail(name, errors.New("empty"))
	case !utf8.ValidString(value):
		q.fail(name, errors.New("not valid UTF-8"))
	}
}

// ParseProductID reads a product ID of a path: a plain decimal number without
// sign or leading zero.
func ParseProductID(s string) (id int64, ok bool) {
	if !digits(s) || s[0] == '0' {
		return 0, false
	}
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil
}
