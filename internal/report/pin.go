package report

import "github.com/sightline-hq/sightline/internal/facts"

// Pinned is reports on the facts of one version, until it is closed.
type Pinned struct {
	Reports
	set facts.Set
}

// Pin holds on to the facts as they are now.
func (r *Reports) Pin() (*Pinned, error) {
	set, err := r.Facts.Acquire()
	if err != nil {
		return nil, err
	}
	return r.pin(set), nil
}

func (r *Reports) pin(set facts.Set) *Pinned {
	pinned := &Pinned{*r, set}
	pinned.Facts = fixed{set}
	return pinned
}

// Edition is another number for facts that may give other answers.
func (p *Pinned) Edition() int64 { return p.set.Edition() }

// Again holds on to the same facts once more, to be closed on its own.
func (p *Pinned) Again() *Pinned { return p.pin(p.set.Again()) }

// Close lets go of the facts.
func (p *Pinned) Close() { p.set.Close() }

// fixed is a source that stays at one version.
type fixed struct{ set facts.Set }

// Acquire implements facts.Source.
func (f fixed) Acquire() (facts.Set, error) { return f.set.Again(), nil }
