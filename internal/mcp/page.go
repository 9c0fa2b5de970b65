package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sightline-hq/sightline/api"
)

const (
	// defaultPerPage is a month of days for three platforms, or of a few dozen prompts.
	defaultPerPage = 100
	// citationsPerPage counts for each of three lists, whose tail says little.
	citationsPerPage = 20
	mostPerPage      = 500
	// mostBytes bounds the rows of an answer as JSON; as text they are about
	// half of that. Clients of the protocol cut off or refuse what is much longer.
	mostBytes = 40_000
)

type pageIn struct {
	Page    int64 `json:"page"`
	PerPage int64 `json:"perPage"`
}

func (in pageIn) or(perPage int64) pageIn {
	if in.Page == 0 {
		in.Page = api.DefaultPage
	}
	if in.PerPage == 0 {
		in.PerPage = perPage
	}
	return in
}

// paging says which rows an answer has, and which not.
type paging struct {
	Page       int64 `json:"page"`
	PerPage    int64 `json:"perPage"`
	TotalPages int64 `json:"totalPages"`
	TotalItems int64 `json:"totalItems"`
	NextPage   int64 `json:"nextPage,omitempty"`
	// LeftOut is how many rows of this page would have made the answer too long.
	LeftOut int64 `json:"leftOut,omitempty"`
}

// pageOf cuts a page out of all rows.
func pageOf[T any](rows []T, in pageIn) ([]T, paging) {
	total := int64(len(rows))
	p := paging{Page: in.Page, PerPage: in.PerPage, TotalItems: total, TotalPages: (total + in.PerPage - 1) / in.PerPage}
	if in.Page > p.TotalPages {
		return []T{}, p
	}
	if in.Page < p.TotalPages {
		p.NextPage = in.Page + 1
	}
	first := (in.Page - 1) * in.PerPage
	return rows[first:min(first+in.PerPage, total)], p
}

// short leaves out the last rows of a page that has more bytes than an answer
// may have. One row always stays, and if need be its texts are cut.
func short[T any](rows []T, bytes int) (kept []T, leftOut int64) {
	if len(rows) > 0 {
		rows = slices.Clone(rows)
		rows[0] = fitting(rows[0], bytes)
	}
	for i, row := range rows {
		line, _ := json.Marshal(row) // it came as JSON
		if bytes -= len(line) + 1; bytes < 0 && i > 0 {
			return rows[:i], int64(len(rows) - i)
		}
	}
	return rows, 0
}

// notes say what a page does not show, and how to get it: with which page, and
// also with which other argument.
func (p paging) notes(also string) (notes []string) {
	if p.TotalPages > 0 && p.Page > p.TotalPages {
		return []string{fmt.Sprintf("Page %d is past the end: there are %d.", p.Page, p.TotalPages)}
	}
	if p.LeftOut > 0 {
		shown := p.PerPage - p.LeftOut
		if p.NextPage == 0 {
			shown = p.TotalItems - (p.Page-1)*p.PerPage - p.LeftOut
		}
		notes = append(notes, fmt.Sprintf("The last %d rows of this page are left out, to keep the answer short. To get them, ask with perPage=%d or less%s, "+
			"which numbers the pages anew, or narrow the request.", p.LeftOut, shown, also))
	}
	if p.NextPage > 0 {
		notes = append(notes, fmt.Sprintf("This is page %d of %d, of %d rows in all. For more, ask again with page=%d%s.",
			p.Page, p.TotalPages, p.TotalItems, p.NextPage, also))
	}
	return notes
}
