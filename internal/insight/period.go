package insight

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// day is a day in UTC, as the API counts them.
const day = 24 * time.Hour

// usual is the period that people mean if they name none: the last 30 whole
// days, to yesterday 23:59:59 UTC.
const usual = "30d"

// Usual is the period of a report whose reader names none. Every client of the
// API has the same, so that their figures can be laid side by side.
func Usual(now time.Time) api.Window {
	w, err := Period("", "", usual, now)
	if err != nil {
		panic(err) // of a constant
	}
	return w
}

// Before is the period of equal length that ends where a period begins.
func Before(w api.Window) api.Window {
	length := Length(w)
	return api.Window{From: w.From.Add(-length), To: w.From.Add(-time.Second)}
}

// Length is how long a period is. Its last second belongs to it.
func Length(w api.Window) time.Duration { return w.To.Sub(w.From) + time.Second }

// Aligned tells whether the buckets of a period and of the period before can
// be told off against each other: the length is a whole number of them.
func Aligned(w api.Window, bucket api.Interval) bool { return Length(w)%Bucket(bucket) == 0 }

// Bucket is the length of a time bucket.
func Bucket(i api.Interval) time.Duration {
	if i == api.Week {
		return 7 * day
	}
	return day
}

// Period reads a period as people write it. From and to are dates, months,
// "today", "yesterday" or date-times, and belong to the period; last is a
// number of days, weeks or hours up to its end. Days and weeks end with yesterday
// unless to says otherwise, since today is not over and would be compared with
// whole days; hours end now. Without anything it is the usual period. An error
// begins with the name of what is wrong: from, to or last.
func Period(from, to, last string, now time.Time) (api.Window, error) {
	now = now.UTC().Truncate(time.Second)
	switch {
	case from != "" && last != "":
		return api.Window{}, errors.New("last: not together with from: say which day is the first, or how long it is up to the last")
	case from == "" && last == "":
		if to != "" {
			return api.Window{}, errors.New("to: needs from or last")
		}
		last = usual
	}
	end, err := lastSecond(to, now)
	if err != nil {
		return api.Window{}, fmt.Errorf("to: %w", err)
	}
	if last != "" {
		w, err := lastOf(last, to != "", end, now)
		if err != nil {
			return w, fmt.Errorf("last: %w", err)
		}
		return w, nil
	}
	start, err := firstSecond(from, now)
	if err != nil {
		return api.Window{}, fmt.Errorf("from: %w", err)
	}
	if start.After(end) {
		return api.Window{}, fmt.Errorf("from: %s is after %s", from, end.Format(time.RFC3339))
	}
	return api.Window{From: start, To: end}, nil
}

var errLast = errors.New("must be a number of days, weeks or hours, such as 30d, 12w or 24h")

func lastOf(last string, hasEnd bool, end, now time.Time) (w api.Window, err error) {
	last = strings.ToLower(last)
	unit, ok := map[byte]time.Duration{'h': time.Hour, 'd': day, 'w': 7 * day}[last[len(last)-1]]
	n, err := strconv.ParseUint(last[:len(last)-1], 10, 16)
	if !ok || err != nil || n == 0 {
		return w, errLast
	}
	switch {
	case hasEnd:
	case unit == time.Hour:
		end = now
	default:
		end = now.Truncate(day).Add(-time.Second)
	}
	return api.Window{From: end.Add(time.Second - time.Duration(n)*unit), To: end}, nil
}

// moment reads a point in time, and how far it reaches: a date is a day long.
func moment(s string, now time.Time) (first, next time.Time, err error) {
	today := now.Truncate(day)
	switch strings.ToLower(s) {
	case "today":
		return today, today.Add(day), nil
	case "yesterday":
		return today.Add(-day), today, nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, t.Add(day), nil
	}
	if t, err := time.Parse("2006-01", s); err == nil {
		return t, t.AddDate(0, 1, 0), nil
	}
	t, err := api.ParseTime(s)
	if err != nil {
		return t, t, fmt.Errorf("%q is no date such as 2026-03-01, no month such as 2026-03, neither today nor yesterday, and no date-time such as 2026-03-01T00:00:00Z", s)
	}
	return t, t.Add(time.Second), nil
}

func firstSecond(s string, now time.Time) (time.Time, error) {
	first, _, err := moment(s, now)
	return first, err
}

// lastSecond is the end of today if nothing is said.
func lastSecond(s string, now time.Time) (time.Time, error) {
	if s == "" {
		s = "today"
	}
	_, next, err := moment(s, now)
	return next.Add(-time.Second), err
}
