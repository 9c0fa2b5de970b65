package mcp

import (
	"fmt"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

// defaultDays is the length of a period that names no start.
const defaultDays = 30

// window fills in a period. A bare date, which the API refuses, is a whole day
// here: models and people write dates. Where only a start is given, today is a
// whole day, too, so that the pages of a report are of the same period.
func (r *reader) window(in periodIn) (w api.Window, err error) {
	if in.DateFrom == nil && in.DateTo == nil {
		return insight.Usual(r.now()), nil
	}
	to := r.now().UTC().Format(time.DateOnly)
	if in.DateTo != nil {
		to = *in.DateTo
	}
	if w.To, err = instant(to, "23:59:59"); err != nil {
		return w, fmt.Errorf("dateTo: %w", err)
	}
	year, month, day := w.To.UTC().Date()
	w.From = time.Date(year, month, day-defaultDays+1, 0, 0, 0, 0, time.UTC)
	if in.DateFrom != nil {
		if w.From, err = instant(*in.DateFrom, "00:00:00"); err != nil {
			return w, fmt.Errorf("dateFrom: %w", err)
		}
	}
	if w.From.After(w.To) {
		return w, fmt.Errorf("dateFrom: %s is after dateTo, %s", w.From.Format(time.RFC3339), w.To.Format(time.RFC3339))
	}
	return w, nil
}

func instant(s, clock string) (time.Time, error) {
	if len(s) == len(time.DateOnly) {
		s += "T" + clock + "Z"
	}
	t, err := api.ParseTime(s)
	switch {
	case err != nil:
		return t, fmt.Errorf("%w; a bare date such as 2026-03-01 is right, too", err)
	case t.IsZero():
		t = t.Add(1) // the client takes the zero time for one that was left out
	}
	return t, nil
}
