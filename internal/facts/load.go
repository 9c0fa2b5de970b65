package facts

import (
	"context"
	"time"
)

// Kind is a kind of input: answers or visits. Each has files of its own.
type Kind string

// The kinds.
const (
	KindAnswers Kind = "answers"
	KindVisits  Kind = "visits"
)

// Input identifies what a load has read, so that it is never loaded twice.
type Input struct {
	Kind   Kind
	SHA256 string // of the content, hexadecimal
	Name   string // as the user wrote it, for people
	Bytes  int64
	Lines  int64
	At     time.Time // when it was loaded; zero while it is
	// Marks are the sums of its beginnings, the shortest first, by which a part of
	// it is recognised.
	Marks []Mark
}

// Mark is the sum of the first bytes of an input.
type Mark struct {
	Bytes  int64
	SHA256 string
}

// Published says what a load changed.
type Published struct {
	Version  int64
	Rows     int64 // visits or answers in this load, after replacement within it
	Replaced int64 // older ones that made room
	Weeks    []int64
}

// Loader adds facts. One process loads at a time.
type Loader interface {
	// Inputs lists what was loaded of a kind.
	Inputs(ctx context.Context, kind Kind) ([]Input, error)
	// SameSecret says whether visitor ids are made with the secret of the first
	// load. Of the first, it keeps the fingerprint.
	SameSecret(ctx context.Context, secret []byte) (bool, error)
	// Begin starts a load. Nothing of it is visible before Publish returns.
	Begin(ctx context.Context, kind Kind) (Load, error)
	// Newest returns the second of the newest published fact of a kind, or 0.
	Newest(ctx context.Context, kind Kind) (int64, error)
	// Prune removes the facts of all weeks that have ended at a time, as one new
	// version, or none where there is nothing to remove. Inputs stay known, so
	// that loading one again does not bring its weeks back. It says how many of
	// the files of which a part stays are written anew.
	Prune(ctx context.Context, before time.Time, progress func(done, all int)) (Pruned, error)
	// Forget removes facts of some for good, as one new version, or none where
	// there is nothing to remove. All others stay as they are, and inputs stay
	// known. It says how far it is.
	Forget(ctx context.Context, whose Whose, progress func(done, all int)) (Forgotten, error)
	// Sweep removes at once what is no longer current and would wait for its
	// grace period, and says how many files, or whatever an engine keeps facts in,
	// that were. A server that is opening one at this moment fails to.
	Sweep(ctx context.Context) (removed int, err error)
	// Close ends loading and lets the next loader in.
	Close() error
}

// Load is one load: all of it is published, or nothing.
type Load interface {
	AddVisit(v *Visit) error
	AddAnswer(a *Answer) error
	Publish(ctx context.Context, inputs []Input) (Published, error)
	// Abort drops what was not published. It may be called after Publish.
	Abort() error
}
