package web

import "github.com/sightline-hq/sightline/internal/insight"

// section is a part of a page with a heading of its own.
type section struct {
	ID, Title string
	Trouble   *trouble
	Calls     []string // the API calls behind the numbers
	Empty     bool
	File      string // the table to download; empty: none
}

// answered is a part of any type.
type answered interface {
	trouble() *trouble
	calls() []string
}

func (p *part[T]) trouble() *trouble { return p.Trouble }
func (p *part[T]) calls() []string   { return p.Calls }

// sectionOf is a section made of parts; if one of them failed, so has it.
func sectionOf(id, title string, parts ...answered) section {
	s := section{ID: id, Title: title, File: id}
	for _, p := range parts {
		s.Trouble = merge(s.Trouble, p.trouble())
		s.Calls = append(s.Calls, p.calls()...)
	}
	return s
}

// tile is one figure of a page's head.
type tile struct {
	Label, Value, Note string
	Was                string
	Change             change
	Standing           *standing // draws how sure it is
}

// table is what a file holds: the figures as the API gave them, unrounded.
type table struct {
	section
	Header []string
	Rows   [][]string
}

// filters are the choices of a page's form.
type filters struct {
	About             string   // what the page is about, beside its period
	Domains, Websites []option // one of them
	Groups            []group  // any of them
	Interval          bool
	Covered           insight.Coverage // of the period before
}

// group is a list of checkboxes.
type group struct {
	Name, Title string
	Options     []option
}

type option struct {
	Value, Label string
	Chosen       bool
}

// Active tells whether anything narrows what the page shows.
func (f filters) Active() bool {
	for _, g := range f.Groups {
		for _, o := range g.Options {
			if o.Chosen {
				return true
			}
		}
	}
	return false
}

// visitList is a table of visits.
type visitList struct {
	Caption, First string
	Rows           []visitRow
}
