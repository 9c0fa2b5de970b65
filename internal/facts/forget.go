package facts

import "time"

// Whose says whose facts are meant.
type Whose struct {
	Websites []string // the visits to these
	Products []int64  // the answers to the prompts of these
}

// Forgotten says what forgetting removes, or would remove.
type Forgotten struct {
	Version                              int64     // of the facts, after it; 0: nothing was ever loaded
	Visits, Answers, Mentions, Citations int64     // rows that go
	First, Last                          int64     // starts of the first and the last week that are touched
	Files                                int64     // or whatever an engine keeps them in, that are written anew
	Free                                 time.Time // from when on the next load or prune removes what they replace
}

// Nothing says that there is nothing to remove.
func (f Forgotten) Nothing() bool { return f.Files == 0 }

// Touch notes that weeks are written anew.
func (f *Forgotten) Touch(first, last int64) {
	if f.Files == 0 || first < f.First {
		f.First = first
	}
	f.Last = max(f.Last, last)
	f.Files++
}
