// Package faults breaks things in tests: files that are missing, cut off, changed
// by a bit, or changed so that an engine does not notice, and connections that are
// cut off or stall. What is broken where comes from a seed, which is printed
// when a test fails.
package faults

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

var (
	seed   = flag.Uint64("faults.seed", 0, "seed of the faults; 0: a new one each time")
	rounds = flag.Int("faults.rounds", 10, "how often to break things at random places")
)

// Rounds is how often to break things at random places.
func (f *Faults) Rounds() int { return *rounds }

// Faults is a source of faults.
type Faults struct {
	*rand.Rand
	t testing.TB
}

// New makes faults from the seed of the command line, or a new one.
func New(t testing.TB) *Faults {
	t.Helper()
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("to break the same again: -faults.seed=%d", s)
		}
	})
	return &Faults{rand.New(rand.NewPCG(s, s)), t}
}

// Fault is a way to break a file.
type Fault struct {
	Name  string
	Break func(path string)
}

// OfFiles lists the ways to break a file.
func (f *Faults) OfFiles() []Fault {
	return []Fault{{"missing", f.Remove}, {"truncated", f.Truncate}, {"bit-flipped", f.Flip}, {"emptied", f.Empty}, {"overwritten", f.Overwrite}}
}

// Some is a few of them.
func (f *Faults) Some(n int) []Fault {
	all := f.OfFiles()
	f.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// Remove removes a file.
func (f *Faults) Remove(path string) { f.must(os.Remove(path)) }

// Truncate cuts a file off somewhere.
func (f *Faults) Truncate(path string) { f.must(os.Truncate(path, f.Int64N(f.size(path)))) }

// Empty leaves nothing of a file.
func (f *Faults) Empty(path string) { f.must(os.Truncate(path, 0)) }

// Flip changes one bit of a file.
func (f *Faults) Flip(path string) {
	f.t.Helper()
	at := f.Int64N(f.size(path))
	f.change(path, at, 1, func(text []byte) { text[0] ^= 1 << f.IntN(8) })
}

// Overwrite puts random bytes over a part of a file, as a bad sector would.
func (f *Faults) Overwrite(path string) {
	f.t.Helper()
	f.OverwriteAt(path, f.Int64N(max(1, f.size(path)-sector)))
}

const sector = 512

// OverwriteAt does so at a place.
func (f *Faults) OverwriteAt(path string, at int64) {
	f.t.Helper()
	f.change(path, at, min(f.size(path)-at, sector), func(text []byte) {
		for i := range text {
			text[i] = byte(f.Uint32())
		}
	})
}

// change rewrites a part of a file in place.
func (f *Faults) change(path string, at, long int64, how func([]byte)) {
	f.t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	f.must(err)
	defer file.Close()
	text := make([]byte, long)
	_, err = file.ReadAt(text, at)
	f.must(err)
	how(text)
	_, err = file.WriteAt(text, at)
	f.must(err)
}

// Keep remembers a file, and returns what puts it back as it was: a new file
// under the old name, as a restore from a backup does.
func (f *Faults) Keep(path string) (restore func()) {
	f.t.Helper()
	text, err := os.ReadFile(path)
	f.must(err)
	return func() {
		f.t.Helper()
		f.must(os.WriteFile(path+".restored", text, 0o600))
		f.must(os.Rename(path+".restored", path))
	}
}

func (f *Faults) size(path string) int64 {
	f.t.Helper()
	info, err := os.Stat(path)
	f.must(err)
	if info.Size() == 0 {
		f.t.Fatalf("%s is empty: there is nothing to break", path)
	}
	return info.Size()
}

func (f *Faults) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}
