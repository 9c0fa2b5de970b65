package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteTable writes a report for a person: a line for each check, then what
// failed, then the sums.
func (r Report) WriteTable(w io.Writer) error {
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CHECK\tRESULT\tPROMISED IN\tNOTE")
	for rest := r.Outcomes; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Name == rest[0].Name {
			n++
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", rest[0].Name, together(rest[:n]), rest[0].Where, notes(rest[:n]))
		rest = rest[n:]
	}
	t.Flush()
	for line := range strings.Lines(table.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	for _, o := range r.Outcomes {
		if o.State == Failed {
			fmt.Fprintf(w, "\nFAILED %s\n  promise  %s (%s)\n  asked    %s\n  seen     %s\n", o.title(), o.Promise, o.Where, o.Request, o.Seen)
		}
	}
	fmt.Fprintln(w)
	for _, p := range r.Products {
		fmt.Fprintf(w, "Product %d: AI answers %s, visits %s.\n", p.ID, p.Answers.days(), p.Visits.days())
	}
	if r.FurtherProducts > 0 {
		fmt.Fprintf(w, "Products that were not looked at: %d. Name those you want with --product.\n", r.FurtherProducts)
	}
	_, err := fmt.Fprintln(w, r.sums())
	return err
}

// days says from when to when, for a person.
func (p *Period) days() string {
	if p == nil {
		return "none"
	}
	return p.From.UTC().Format(time.DateOnly) + " to " + p.To.UTC().Format(time.DateOnly)
}

// title is the name of an outcome among all.
func (o Outcome) title() string {
	if o.Product == 0 {
		return o.Name
	}
	return fmt.Sprintf("%s (product %d)", o.Name, o.Product)
}

// together is the state of a check on all its products: the worst.
func together(outcomes []Outcome) State {
	for _, state := range []State{Failed, NotRun, Passed} {
		if slices.ContainsFunc(outcomes, func(o Outcome) bool { return o.State == state }) {
			return state
		}
	}
	return NotApplicable
}

// notes say on which products a check failed, and why it did not look at others.
func notes(outcomes []Outcome) string {
	var all []string
	for _, o := range outcomes {
		note := o.Reason
		switch {
		case o.State == Passed:
			continue
		case o.State == Failed && o.Product == 0:
			note = "see below"
		case o.State == Failed:
			note = fmt.Sprintf("product %d: see below", o.Product)
		case len(outcomes) > 1:
			note = fmt.Sprintf("product %d: %s", o.Product, o.Reason)
		}
		all = append(all, note)
	}
	return strings.Join(all, "; ")
}

func (r Report) sums() string {
	text := fmt.Sprintf("%d passed, %d failed, %d not applicable", r.Count(Passed), r.Count(Failed), r.Count(NotApplicable))
	if n := r.Count(NotRun); n > 0 {
		text += fmt.Sprintf(", %d not run", n)
	}
	return fmt.Sprintf("%s; %d requests in %.1f s.", text, r.Requests, r.Seconds)
}

// WriteJSON writes a report for a program.
func (r Report) WriteJSON(w io.Writer) error {
	r.Products = append([]Product{}, r.Products...) // never null
	r.Outcomes = append([]Outcome{}, r.Outcomes...)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
