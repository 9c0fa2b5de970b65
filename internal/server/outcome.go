package server

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sightline-hq/sightline/api"
)

// statusGone is what proxies log for a caller who left before the answer was
// complete; it is never sent.
const statusGone = 499

// outcome is how a request ended, for log and figures: an answer that was cut is
// no 200, and a caller who left is no failure of ours.
func (n *note) outcome(r *http.Request) int {
	switch {
	case n.err != nil && (r.Context().Err() != nil || errors.Is(n.err, errReader)):
		return statusGone
	case n.err != nil && n.status == http.StatusOK:
		return http.StatusInternalServerError
	}
	return n.status
}

func (s *Server) ended(r *http.Request, n *note, started time.Time) {
	took, status := time.Since(started), n.outcome(r)
	if s.Observe != nil {
		s.Observe(n.route, status, took)
	}
	args := []any{"id", n.id, "method", method(r), "route", n.route, "status", status,
		"ms", float64(took.Microseconds()) / 1000, "team", n.team, "key", n.key}
	if n.err != nil {
		args = append(args, "error", withoutValues(n.err.Error(), r.URL))
	}
	switch {
	case errors.Is(n.err, errTooManyKeys): // which has a line of its own
	case errors.Is(n.err, errOverloaded):
		s.tellOverload()
	case status >= http.StatusInternalServerError:
		s.Log.Error("request failed", args...)
		return
	}
	s.Log.Debug("request", args...) // those of callers who have gone included
}

// method is one that there is: others are the caller's own words.
func method(r *http.Request) string {
	known := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}
	if slices.Contains(known, r.Method) {
		return r.Method
	}
	return "other"
}

// tellOverload tells at most once in a while that requests are turned away: a
// flood of them must not become one of lines.
func (s *Server) tellOverload() {
	now, told := time.Now().Unix(), s.toldOverload.Load()
	if now-told >= overloadPause && s.toldOverload.CompareAndSwap(told, now) {
		f := s.Figures()
		s.Log.Warn("more requests than can be answered; turning some away", "running", f.Running, "waiting", f.Waiting, "turned_away", f.TurnedAway)
	}
}

const (
	overloadPause = 10 // seconds
	hidden        = "…"
	shortWord     = 4 // words below hold no secret, and may be part of any other
)

// checked are parameters whose values are dates, numbers or of closed lists by the
// time that anything else can fail, and are in the names of files and the like.
var checked = []string{api.ParamDateFrom, api.ParamDateTo, api.ParamLabelIDs, api.ParamGroupBy, api.ParamInterval, api.ParamMetrics,
	api.ParamGroupBys, api.ParamPage, api.ParamPerPage, api.ParamTopLimit}

// withoutValues takes what a query string says out of a text. An engine may
// quote it in an error, in part or with other escapes, so it goes word by word.
func withoutValues(text string, u *url.URL) string {
	var words []string
	for name, values := range u.Query() {
		if slices.Contains(checked, name) {
			continue
		}
		for _, value := range values {
			words = append(words, strings.FieldsFunc(value, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' })...)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) }) // the longest first
	for _, word := range words {
		if len(word) >= shortWord {
			text = strings.ReplaceAll(text, word, hidden)
		}
	}
	return text
}
