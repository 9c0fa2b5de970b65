package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/insight"
	"github.com/sightline-hq/sightline/internal/show"
)

// outputs are the forms of a report; the first is the default.
var outputs = []string{"table", "json", "csv", "ndjson", "markdown"}

// shown is a report on its way out.
type shown struct {
	heading string              // of a table
	answer  func() (any, error) // as the API has it, for --output json
	tables  []show.Table
	trends  func([]show.Row) (show.Table, bool) // of the only table, on a terminal
	nothing func() string                       // what to say if there are no figures
	none    bool                                // rows, if any, have no figures
	remarks []string                            // what is to be known of the figures, in every form
	objects bool                                // the API has no such answer: JSON is the rows
	note    string                              // what people should know besides
	periods *periods                            // of --compare
}

type periods struct{ Now, Before api.Window }

// print writes a report in the form that was asked for. What strangers wrote
// is made harmless wherever it goes to a terminal.
func (a *app) print(o *getOptions, s shown) error {
	var err error
	switch screen := a.screen(); {
	case o.output == "table":
		err = a.printTable(screen, s)
	case screen.Width > 0:
		safe := show.NewSafe(a.stdout)
		err = errors.Join(printAs(o.output, safe, s), safe.Flush())
	default:
		err = printAs(o.output, a.stdout, s)
	}
	if err == nil && s.note != "" && o.output != "json" { // JSON says it itself
		fmt.Fprintln(a.stderr, s.note)
	}
	for _, remark := range s.remarks {
		if err == nil && remark != "" {
			fmt.Fprintln(a.stderr, remark)
		}
	}
	return friendly(err)
}

func printAs(output string, w io.Writer, s shown) error {
	switch output {
	case "json":
		return printJSON(w, s)
	case "csv":
		return show.CSV(w, s.tables...)
	case "ndjson":
		return show.NDJSON(w, s.tables...)
	}
	return show.Markdown(w, s.tables...)
}

func (a *app) printTable(screen show.Screen, s shown) error {
	tables, empty := s.tables, true
	for i, t := range s.tables {
		rows, err := t.All()
		if err != nil {
			return err
		}
		tables[i] = t.With(rows)
		empty = empty && len(rows) == 0
		if s.trends != nil && screen.Width > 0 {
			if trend, ok := s.trends(rows); ok {
				tables = append(tables, trend)
			}
		}
	}
	if empty || s.none {
		if s.note == "" { // which would say it better
			fmt.Fprintln(a.stderr, s.nothing())
		}
		if empty && screen.Width > 0 {
			return nil
		}
	}
	return show.People(a.stdout, screen, s.heading, tables...)
}

// printJSON writes the answer as the API has it. A comparison is none of the
// API's: it is the rows that the other forms have, with the two periods.
func printJSON(w io.Writer, s shown) error {
	if s.objects && s.periods == nil {
		rows, err := show.Objects(s.tables[0])
		if err != nil {
			return err
		}
		return show.JSON(w, rows)
	}
	if s.periods == nil {
		answer, err := s.answer()
		if err != nil {
			return err
		}
		return show.JSON(w, answer)
	}
	out := map[string]any{"period": period(s.periods.Now), "periodBefore": period(s.periods.Before)}
	for _, t := range s.tables {
		rows, err := show.Objects(t)
		if err != nil {
			return err
		}
		name := t.Name
		if name == "" {
			name = "rows"
		}
		out[name] = rows
	}
	return show.JSON(w, out)
}

func period(w api.Window) map[string]string {
	return map[string]string{"dateFrom": w.From.UTC().Format(time.RFC3339), "dateTo": w.To.UTC().Format(time.RFC3339)}
}

// spell writes a period for people.
func spell(w api.Window) string {
	if insight.Aligned(w, api.Day) && w.From.UTC().Truncate(24*time.Hour).Equal(w.From) {
		days := int(insight.Length(w) / (24 * time.Hour))
		if days == 1 {
			return day(w.From)
		}
		return fmt.Sprintf("%s to %s (%s)", day(w.From), day(w.To), plural(days, "day"))
	}
	return w.From.UTC().Format(time.RFC3339) + " to " + w.To.UTC().Format(time.RFC3339)
}

// getError is an error with text of a server's, safe to print.
type getError struct {
	error
	text string
}

func (e getError) Error() string { return e.text }
func (e getError) Unwrap() error { return e.error }

// friendly says of an error of the API what to do next.
func friendly(err error) error {
	if err == nil {
		return nil
	}
	var failed *client.Error
	if !errors.As(err, &failed) {
		if errors.Is(err, client.ErrChanged) {
			return getError{err, err.Error() + ": ask again"}
		}
		return err
	}
	e := getError{err, show.Printable(err.Error())}
	switch {
	case errors.Is(err, client.ErrBadRequest):
		return usageError{getError{err, show.Printable("the server does not accept " + flagOf(failed.Detail))}}
	case errors.Is(err, client.ErrUnauthorized) && failed.Path == api.RouteProducts:
		e.text += ": the key is wrong, was revoked, or is one of another server"
	case errors.Is(err, client.ErrUnauthorized):
		e.text += ": check the key, and that it reaches the product ('sightline get products' lists what it reaches)"
	case failed.Status == 0 && failed.RequestID == "":
		e.text += ": is the server running, and is --base-url (SIGHTLINE_BASE_URL) its address?"
	case failed.Status == 404:
		e.text += ": is --base-url (SIGHTLINE_BASE_URL) the address of a server of this API, without its /v1?"
	}
	return e
}
