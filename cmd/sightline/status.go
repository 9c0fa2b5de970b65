package main

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/transfer"
)

func (a *app) status() *cobra.Command {
	var weeks bool
	var output string
	c := &cobra.Command{
		Use:   "status",
		Short: "Show what is in the data directory",
		Long: `Show what is in the data directory: the catalog, the facts of each kind, the latest
loads, files that wait to be removed, and reject files.

It only reads, and works while a load or a server runs.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkOutput(c, output, "table", "json"); err != nil {
				return err
			}
			s, err := a.readStatus(c.Context(), weeks)
			if err != nil {
				return err
			}
			if output == "json" {
				return a.asJSON(s)
			}
			return s.print(a.stdout, time.Now())
		},
	}
	a.factsFlag(c)
	c.Flags().BoolVar(&weeks, "weeks", false, "list the facts week by week as well")
	c.Flags().StringVar(&output, "output", "table", "table or json")
	return c
}

// dataStatus is what status shows. As JSON, its field names are a promise.
type dataStatus struct {
	DataDirectory string         `json:"dataDirectory"`
	Catalog       catalogStatus  `json:"catalog"`
	FactsPlace    string         `json:"factsPlace,omitzero"` // where they are not in the data directory
	Version       int64          `json:"version"`             // of the facts; 0: nothing was ever loaded
	HalfCopied    bool           `json:"halfCopied,omitzero"` // a copy into the facts has not come to its end
	Kinds         []weeksStatus  `json:"kinds"`
	Weeks         []weeksStatus  `json:"weeks,omitzero"`
	Loads         loadsStatus    `json:"loads"`
	Replaced      replacedStatus `json:"replaced"`
	Rejects       rejectsStatus  `json:"rejects"`
}

type catalogStatus struct {
	Place      string `json:"place"` // a file, or a URL without its password
	Version    int64  `json:"version"`
	Teams      int    `json:"teams"`
	Products   int    `json:"products"`
	Websites   int    `json:"websites"`
	Prompts    int    `json:"prompts"`
	ActiveKeys int    `json:"activeKeys"`
}

// weeksStatus is the facts of a kind, or of one file of it. Without files,
// whatever cannot be said is null.
type weeksStatus struct {
	Kind        facts.Kind `json:"kind"`
	FirstWeek   *time.Time `json:"firstWeek"`
	LastWeek    *time.Time `json:"lastWeek"`
	Files       int64      `json:"files"`
	Rows        int64      `json:"rows"`
	Bytes       int64      `json:"bytes"`
	BytesPerRow *float64   `json:"bytesPerRow"`
	Newest      *time.Time `json:"newest"`
}

type loadsStatus struct {
	Inputs int64         `json:"inputs"`
	Latest []inputStatus `json:"latest"` // the newest first
}

type inputStatus struct {
	LoadedAt time.Time  `json:"loadedAt"`
	Kind     facts.Kind `json:"kind"`
	Name     string     `json:"name"`
	Lines    int64      `json:"lines"`
	Bytes    int64      `json:"bytes"`
	Version  int64      `json:"version"`
}

type replacedStatus struct {
	Files          int64      `json:"files"`
	Bytes          int64      `json:"bytes"`
	RemovableFiles int64      `json:"removableFiles"` // by the next load or prune
	RemovableBytes int64      `json:"removableBytes"`
	RemovableFrom  *time.Time `json:"removableFrom"` // all of them
}

type rejectsStatus struct {
	Folder string `json:"folder"`
	Files  int64  `json:"files"`
	Bytes  int64  `json:"bytes"`
}

// shownKinds are the kinds in the order in which people see them.
var shownKinds = []facts.Kind{facts.KindVisits, facts.KindAnswers}

func (a *app) readStatus(ctx context.Context, weeks bool) (s dataStatus, err error) {
	if err := a.checkData(); err != nil {
		return s, err
	}
	store, err := a.readCatalog(ctx)
	if err != nil {
		return s, err
	}
	defer store.Close()
	snapshot, err := store.Snapshot(ctx)
	if err != nil {
		return s, err
	}
	place, err := a.factsStore()
	if err != nil {
		return s, err
	}
	f, err := place.Status(ctx)
	if err != nil {
		return s, err
	}
	n := snapshot.Counts()
	s = dataStatus{
		DataDirectory: a.data, FactsPlace: a.factsPlace(), Version: f.Version, HalfCopied: transfer.Unfinished(f),
		Catalog: catalogStatus{Place: store.Place(), Version: snapshot.Version(), Teams: n.Teams, Products: n.Products, Websites: n.Websites, Prompts: n.Prompts, ActiveKeys: n.Keys},
		Loads:   loadsStatus{Inputs: f.Inputs, Latest: []inputStatus{}},
	}
	if weeks {
		s.Weeks = []weeksStatus{}
	}
	for _, kind := range shownKinds {
		s.Kinds = append(s.Kinds, newWeeksStatus(facts.Total(kind, f.Weeks)))
		for _, w := range f.Weeks {
			if weeks && w.Kind == kind {
				s.Weeks = append(s.Weeks, newWeeksStatus(w))
			}
		}
	}
	for _, l := range f.Latest {
		s.Loads.Latest = append(s.Loads.Latest, inputStatus{l.At, l.Kind, l.Name, l.Lines, l.Bytes, l.Version})
	}
	r := f.Replaced
	s.Replaced = replacedStatus{r.Files, r.Bytes, r.DueFiles, r.DueBytes, given(r.Free)}
	s.Rejects, err = readRejects(a.dir().Rejects())
	return s, err
}

func newWeeksStatus(w facts.Weeks) weeksStatus {
	s := weeksStatus{Kind: w.Kind, Files: w.Files, Rows: w.Rows, Bytes: w.Bytes}
	if w.Files == 0 {
		return s
	}
	first, last, newest := utc(w.First), utc(w.Last), utc(w.Newest)
	perRow := math.Round(10*float64(w.Bytes)/float64(w.Rows)) / 10 // the manifest has no file without rows
	s.FirstWeek, s.LastWeek, s.Newest, s.BytesPerRow = &first, &last, &newest, &perRow
	return s
}

func utc(second int64) time.Time { return time.Unix(second, 0).UTC() }

// readRejects counts the reject files. Loads make and people delete them at any time.
func readRejects(folder string) (rejectsStatus, error) {
	s := rejectsStatus{Folder: folder}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return s, err
		}
		if info.Mode().IsRegular() {
			s.Files++
			s.Bytes += info.Size()
		}
	}
	return s, err
}
