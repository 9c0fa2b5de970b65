// Package transfer copies facts from one store into another, week by week. Each
// week is one load, known by what is in it, so that a copy that was interrupted
// goes on where it was.
package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Copied says what a copy did.
type Copied struct {
	Weeks  int64 // of all kinds
	Rows   int64 // visits and answers in them
	Known  int64 // weeks that an earlier copy had brought over
	Inputs int64 // that are known in the target from now on
}

// Step is what is done with a week.
type Step string

// The steps.
const (
	Counting  Step = "counting"
	Copying   Step = "copying"
	Comparing Step = "comparing"
)

// Progress is told of each week before something is done with it, how many were
// before it, and how many there are.
type Progress func(step Step, kind facts.Kind, week, done, weeks int64)

// kinds in the order in which they are copied.
var kinds = []facts.Kind{facts.KindVisits, facts.KindAnswers}

// copying is one copy.
type copying struct {
	from     facts.Source
	to       facts.Loader
	progress Progress
	known    map[string]bool // inputs of the target, by sum
	copied   map[string]bool // weeks of an earlier copy, by name
	done     Copied
}

// ErrTarget means that the target cannot be gone on with.
var ErrTarget = errors.New("copy into an empty one")

// namePrefix marks the weeks of a copy among the inputs of the target.
const namePrefix = "copy of the "

// Copy copies all facts, and which inputs were loaded. Nothing may be loaded into
// the source meanwhile, and the target must have none but those of an earlier
// copy.
func Copy(ctx context.Context, from facts.Source, inputs map[facts.Kind][]facts.Input, to facts.Loader, progress Progress) (Copied, error) {
	c := &copying{from: from, to: to, progress: progress, known: make(map[string]bool), copied: make(map[string]bool)}
	for _, kind := range kinds {
		known, err := to.Inputs(ctx, kind)
		if err != nil {
			return c.done, err
		}
		for _, in := range known {
			c.known[in.SHA256] = true
			c.copied[in.Name] = c.copied[in.Name] || strings.HasPrefix(in.Name, namePrefix)
		}
		if err := notMixed(known, inputs[kind]); err != nil {
			return c.done, err
		}
	}
	weeks, all, err := countAll(ctx, from, Counting, progress)
	if err != nil {
		return c.done, err
	}
	for _, kind := range kinds {
		for _, f := range weeks[kind] {
			if err := c.week(ctx, f, all); err != nil {
				return c.done, fmt.Errorf("the %s of the week %s: %w", kind, day(f.week), err)
			}
		}
	}
	for _, kind := range kinds { // last, so that Unfinished can tell
		if err := c.inputs(ctx, kind, inputs[kind]); err != nil {
			return c.done, err
		}
	}
	return c.done, nil
}

// Unfinished says whether a copy into a store has not come to its end: what came last
// are its weeks, and not what was loaded into the source.
func Unfinished(s facts.Status) bool {
	return len(s.Latest) > 0 && strings.HasPrefix(s.Latest[0].Name, namePrefix)
}

// notMixed refuses a target with facts that are not of this copy.
func notMixed(known, source []facts.Input) error {
	ours := make(map[string]bool)
	for _, in := range source {
		ours[in.SHA256] = true
	}
	for _, in := range known {
		if !strings.HasPrefix(in.Name, namePrefix) && !ours[in.SHA256] {
			return fmt.Errorf("the target has facts already, of %s: %w", in.Name, ErrTarget)
		}
	}
	return nil
}

// identity is the sum by which a copied week is known again: if the week has
// changed in the source since, it is another.
func (f figures) identity() facts.Input {
	text := fmt.Sprintf("sightline copy %s %d %v", f.kind, f.week, f.values)
	sum := sha256.Sum256([]byte(text))
	return facts.Input{Kind: f.kind, SHA256: hex.EncodeToString(sum[:]), Name: fmt.Sprintf("%s%s of %s", namePrefix, f.kind, day(f.week)), Bytes: 1, Lines: f.rows()}
}

func (c *copying) week(ctx context.Context, f figures, weeks int64) error {
	identity := f.identity()
	if c.known[identity.SHA256] {
		c.done.Known++
		return nil
	}
	if c.copied[identity.Name] {
		return fmt.Errorf("it was copied to the target before, and the source has changed since: %w", ErrTarget)
	}
	c.progress(Copying, f.kind, f.week, c.done.Weeks+c.done.Known, weeks)
	load, err := c.to.Begin(ctx, f.kind)
	if err != nil {
		return err
	}
	defer load.Abort()
	copyRows := copyVisits
	if f.kind == facts.KindAnswers {
		copyRows = copyAnswers
	}
	set, err := c.from.Acquire() // anew for each week: it cannot be held for hours
	if err != nil {
		return err
	}
	defer set.Close()
	if err := copyRows(ctx, set, f.week, load); err != nil {
		return err
	}
	published, err := load.Publish(ctx, []facts.Input{identity})
	if err != nil {
		return err
	}
	if published.Rows != f.rows() || published.Replaced > 0 {
		return fmt.Errorf("%d rows were copied, %d of them replaced others, and there are %d", published.Rows, published.Replaced, f.rows())
	}
	c.done.Weeks++
	c.done.Rows += published.Rows
	return nil
}

// inputs makes the target know what was loaded into the source.
func (c *copying) inputs(ctx context.Context, kind facts.Kind, all []facts.Input) error {
	var missing []facts.Input
	for _, in := range all {
		if !c.known[in.SHA256] && !strings.HasPrefix(in.Name, namePrefix) { // those of a copy say nothing here
			missing = append(missing, in)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	load, err := c.to.Begin(ctx, kind)
	if err != nil {
		return err
	}
	defer load.Abort()
	_, err = load.Publish(ctx, missing)
	c.done.Inputs += int64(len(missing))
	return err
}

func day(second int64) string { return time.Unix(second, 0).UTC().Format(time.DateOnly) }
