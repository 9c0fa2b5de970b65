package ingest

import (
	"fmt"

	"github.com/sightline-hq/sightline/internal/facts"
)

// results is what became of the records of a block: each is a visit or an
// answer (or several), dropped, or rejected.
type results struct {
	records  int64 // read, without blank ones
	visits   []facts.Visit
	answers  []*facts.Answer
	dropped  []tally
	rejected []rejectedRecord

	others int64 // that name another host than the one they are loaded for

	// The record that is being read, for what is said about it.
	line  int64 // of the block, from 0
	lines int64 // that it takes
	text  []byte
	noEnd bool // it is the input's last, and has no newline
}

// tally counts a reason.
type tally struct {
	reason string
	count  int64
}

// rejection says why a record is wrong: a reason that is counted, and what it
// was about in this one.
type rejection struct{ reason, detail string }

// explained is the detail as the end of a sentence.
func (r *rejection) explained() string {
	if r.detail == "" {
		return ""
	}
	return ": " + r.detail
}

type rejectedRecord struct {
	rejection
	line  int64 // of the block, from 0
	lines int64 // it may have swallowed good ones
	text  []byte
}

func (r *results) reject(reason, format string, args ...any) {
	r.refuse(&rejection{reason, fmt.Sprintf(format, args...)})
}

func (r *results) refuse(why *rejection) {
	if why.reason == notJSON && r.noEnd {
		why.detail += " (the last line has no newline: was the file cut off?)"
	}
	r.rejected = append(r.rejected, rejectedRecord{*why, r.line, max(1, r.lines), r.text})
}

func (r *results) drop(reason string) {
	for i := range r.dropped {
		if r.dropped[i].reason == reason {
			r.dropped[i].count++
			return
		}
	}
	r.dropped = append(r.dropped, tally{reason, 1})
}

func (r *results) reset() {
	*r = results{visits: r.visits[:0], answers: r.answers[:0], dropped: r.dropped[:0], rejected: r.rejected[:0]}
}
