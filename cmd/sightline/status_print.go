package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// print writes the status for a person.
func (s dataStatus) print(w io.Writer, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "data directory\t%s\n", s.DataDirectory)
	fmt.Fprintf(t, "catalog\t%s, version %d\n", s.Catalog.Place, s.Catalog.Version)
	fmt.Fprintf(t, "teams\t%d\n", s.Catalog.Teams)
	fmt.Fprintf(t, "products\t%d\n", s.Catalog.Products)
	fmt.Fprintf(t, "websites\t%d\n", s.Catalog.Websites)
	fmt.Fprintf(t, "prompts\t%d\n", s.Catalog.Prompts)
	fmt.Fprintf(t, "active keys\t%d\n", s.Catalog.ActiveKeys)
	if s.FactsPlace != "" {
		fmt.Fprintf(t, "facts in\t%s\n", s.FactsPlace)
	}
	fmt.Fprintf(t, "facts\t%s\n", s.facts())
	if s.HalfCopied {
		fmt.Fprintf(t, "\t%s\n", errHalfCopied)
	}
	s.Replaced.print(t, now)
	if r := s.Rejects; r.Files > 0 {
		fmt.Fprintf(t, "reject files\t%d, %s, in %s\n", r.Files, size(r.Bytes), r.Folder)
		fmt.Fprintf(t, "\tthey hold input lines, addresses included: delete them when you are done with them\n")
	}
	if s.hasFacts() {
		s.printKinds(t, now)
	}
	if len(s.Weeks) > 0 {
		s.printWeeks(t)
	}
	if s.Loads.Inputs > 0 {
		s.printLoads(t)
	}
	return t.Flush()
}

// print says what becomes of the files: each has a time of its own from which on
// it may go.
func (r replacedStatus) print(w io.Writer, now time.Time) {
	if r.Files == 0 {
		return
	}
	fmt.Fprintf(w, "replaced files\t%d, %s\n", r.Files, size(r.Bytes))
	if r.RemovableFiles == 0 || r.RemovableFiles == r.Files {
		fmt.Fprintf(w, "\tremoved by %s\n", nextSweep(*r.RemovableFrom, now))
		return
	}
	fmt.Fprintf(w, "\t%d, %s, removed by the next load or prune\n", r.RemovableFiles, size(r.RemovableBytes))
	fmt.Fprintf(w, "\t%d, %s, removed by %s\n", r.Files-r.RemovableFiles, size(r.Bytes-r.RemovableBytes), nextSweep(*r.RemovableFrom, now))
}

func (s dataStatus) hasFacts() bool {
	for _, k := range s.Kinds {
		if k.Files > 0 {
			return true
		}
	}
	return false
}

func (s dataStatus) facts() string {
	const next = "load some with 'sightline load answers', 'load pageviews' or 'load logs'"
	switch {
	case s.Version == 0:
		return "none yet: " + next
	case !s.hasFacts():
		return fmt.Sprintf("version %d, all removed: %s", s.Version, next)
	}
	return fmt.Sprintf("version %d", s.Version)
}

func (s dataStatus) printKinds(w io.Writer, now time.Time) {
	fmt.Fprint(w, "\nKIND\tFIRST WEEK\tLAST WEEK\tFILES\tROWS\tSIZE\tBYTES PER ROW\tNEWEST\n")
	for _, k := range s.Kinds {
		if k.Files == 0 {
			fmt.Fprintf(w, "%s\tnone\n", k.Kind)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%.1f\t%s, %s\n", k.Kind, day(*k.FirstWeek), day(*k.LastWeek), k.Files, k.Rows,
			size(k.Bytes), *k.BytesPerRow, minute(*k.Newest), age(now.Sub(*k.Newest)))
	}
}

// printWeeks has a line for each week. A file that covers a run of weeks has
// one line: what each week of it takes is not known.
func (s dataStatus) printWeeks(w io.Writer) {
	fmt.Fprint(w, "\nKIND\tWEEK\tROWS\tSIZE\tNEWEST\n")
	for _, k := range s.Weeks {
		week := day(*k.FirstWeek)
		if !k.LastWeek.Equal(*k.FirstWeek) {
			week += " to " + day(*k.LastWeek)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", k.Kind, week, k.Rows, size(k.Bytes), minute(*k.Newest))
	}
}

func (s dataStatus) printLoads(w io.Writer) {
	title := plural(int(s.Loads.Inputs), "input")
	if n := len(s.Loads.Latest); int64(n) < s.Loads.Inputs {
		title += fmt.Sprintf(", the last %d", n)
	}
	fmt.Fprintf(w, "\n%s:\n\nLOADED\tKIND\tLINES\tNAME\n", title)
	for _, l := range s.Loads.Latest {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", minute(l.LoadedAt), l.Kind, l.Lines, visible(l.Name))
	}
}

// visible is a name that cannot steer a terminal or break a table.
func visible(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
