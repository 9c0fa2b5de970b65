package facts

import "time"

// Weeks is a run of published weeks of one kind. Their starts are Mondays,
// 00:00 UTC, in Unix seconds.
type Weeks struct {
	Kind        Kind
	First, Last int64 // starts of the first and the last week
	Files       int64 // or whatever an engine keeps them in
	Rows, Bytes int64
	Newest      int64 // second of the newest row
}

// Total adds up the weeks of a kind. Without any, all but the kind is zero.
func Total(kind Kind, all []Weeks) Weeks {
	total := Weeks{Kind: kind}
	for _, w := range all {
		if w.Kind != kind {
			continue
		}
		if total.Files == 0 || w.First < total.First {
			total.First = w.First
		}
		total.Last, total.Newest = max(total.Last, w.Last), max(total.Newest, w.Newest)
		total.Files += w.Files
		total.Rows += w.Rows
		total.Bytes += w.Bytes
	}
	return total
}

// Status is what a store holds, all of it read at one version.
type Status struct {
	Version  int64    // 0: nothing was ever published
	Weeks    []Weeks  // by kind and week; more than one week where a file covers more
	Inputs   int64    // that were ever loaded
	Latest   []Loaded // a few, the newest first
	Replaced Replaced
}

// Loaded is an input that was loaded.
type Loaded struct {
	Kind         Kind
	Name         string // as the user wrote it
	Bytes, Lines int64
	Version      int64 // the publish that it was part of
	At           time.Time
}

// Replaced is the files that are no longer current and still on the disk.
type Replaced struct {
	Files, Bytes int64
	// DueFiles and DueBytes are what the next load or prune removes, if it is now.
	DueFiles, DueBytes int64
	// Free is from when on it removes all of them; zero without files.
	Free time.Time
}

// LatestInputs is how many inputs a status lists.
const LatestInputs = 5

// Pruned says what a prune removes, or would remove.
type Pruned struct {
	Version  int64   // of the facts, after it
	KeptFrom int64   // start of the first week that stays
	Removed  []Weeks // files, by kind and week
	// Cut is files of which only the later weeks stay; Rows and Bytes are those
	// of the whole file.
	Cut  []Weeks
	Free time.Time // from when on the next load or prune frees the room
}

// Nothing says that there is nothing to remove.
func (p Pruned) Nothing() bool { return len(p.Removed)+len(p.Cut) == 0 }
