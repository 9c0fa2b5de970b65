package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// farAhead bounds times that people name: later ones are slips of the pen.
const farAhead = 100 * 366 * 24 * time.Hour

var errFarAhead = errors.New("more than 100 years")

// parseSpan reads a length of time such as 90d, 2w, 24h or 30m.
func parseSpan(text string) (time.Duration, error) {
	wrong := fmt.Errorf("%q is no time such as 90d, 2w, 24h or 30m", text)
	if text == "" {
		return 0, wrong
	}
	number, unit := text[:len(text)-1], text[len(text)-1:]
	length, ok := map[string]time.Duration{"w": 7 * 24 * time.Hour, "d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second}[unit]
	n, err := strconv.ParseInt(number, 10, 64)
	switch {
	case !ok || err != nil || strings.HasPrefix(number, "+"):
		return 0, wrong
	case n <= 0:
		return 0, fmt.Errorf("%q is no time ahead: write one such as 24h", text)
	case n > int64(farAhead/length):
		return 0, fmt.Errorf("%q is %w", text, errFarAhead)
	}
	return time.Duration(n) * length, nil
}

// looksLikeDay tells 2027-02-30, which is none, from what is written otherwise.
func looksLikeDay(text string) bool {
	return len(text) == len(time.DateOnly) && strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, text) == "0000-00-00"
}

// parseExpiry reads when a key is to end: a length of time from now, the start of
// a day, a moment, or never, which is the zero time.
func parseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "never" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		at, err := time.Parse(layout, text)
		switch {
		case err != nil:
			continue
		case !at.After(now):
			return at, fmt.Errorf("--expires %s is past: it is %s now", text, minute(now))
		case at.Sub(now) > farAhead:
			return at, fmt.Errorf("--expires %s is more than 100 years ahead: leave it out for a key that never expires", text)
		}
		return at.UTC(), nil
	}
	if looksLikeDay(text) {
		return now, fmt.Errorf("--expires %s: there is no such day", text)
	}
	span, err := parseSpan(text)
	if errors.Is(err, errFarAhead) {
		return now, fmt.Errorf("--expires %s is more than 100 years ahead: leave it out for a key that never expires", text)
	}
	if err != nil {
		return now, fmt.Errorf("--expires %w, a day such as 2027-01-31, a moment such as 2027-01-31T18:00:00Z, or never", err)
	}
	return now.Add(span), nil
}
