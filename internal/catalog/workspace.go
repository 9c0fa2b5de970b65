package catalog

import "slices"

// Workspace is a workspace file that was read and found free of mistakes. Only
// ParseWorkspace makes one, so Apply never meets an unchecked one.
type Workspace struct {
	// Warnings are things that are allowed but look like mistakes.
	Warnings []Mistake

	file     string
	teams    []teamEntry
	products []productEntry
}

// The entries of a workspace, in the order of the file. An entry whose id could
// not be read keeps its place, with a zero id, so that places can be named.

type teamEntry struct {
	id, name string
	manages  []ref[string]
	line     int // of the id
}

type productEntry struct {
	id              int64
	team            ref[string]
	name            string
	names           []string
	website, domain string
	competitors     []ref[int64]
	websites        []websiteEntry
	labels          []labelEntry
	prompts         []promptEntry
	line            int // of the id
}

type websiteEntry struct {
	id, domain       string
	partner, tracked bool
	line             int // of the id
}

type labelEntry struct {
	id   int64
	name string
	line int // of the id
}

type promptEntry struct {
	id         int64
	text       string
	domain     string // bare; the product's where the file says none
	platforms  []string
	labels     []ref[int64]
	line       int // of the id
	textLine   int
	domainLine int // 0 where the file says none
}

// ref names something elsewhere in the file.
type ref[T comparable] struct {
	value T
	line  int
}

// values returns what refs name: sorted, each once, nil if nothing.
func values[T int64 | string](refs []ref[T]) (vs []T) {
	for _, r := range refs {
		vs = append(vs, r.value)
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}

// MaxWorkspace is the largest workspace file that is read, in bytes.
const MaxWorkspace = 64 << 20

// ParseWorkspace reads a workspace, YAML or JSON. The name is what mistakes call
// the file. The error is Mistakes: all of them, not just the first.
func ParseWorkspace(name string, data []byte) (*Workspace, error) {
	n := &notes{file: name}
	root, size := parseSource(n, data)
	if root == nil {
		return nil, n.err()
	}
	r := &reader{notes: n, visits: size + maxRepeats}
	w := r.workspace(root)
	check(n, w)
	if err := n.err(); err != nil {
		return nil, err
	}
	sortByLine(n.warnings)
	w.file, w.Warnings = name, n.warnings
	return w, nil
}
