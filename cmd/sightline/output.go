package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// asJSON writes what a script reads.
func (a *app) asJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// checkOutput refuses a form of output that a command does not have.
func checkOutput(c *cobra.Command, output string, forms ...string) error {
	if slices.Contains(forms, output) {
		return nil
	}
	last := len(forms) - 1
	return wrong(c, "has --output "+strings.Join(forms[:last], ", ")+" or "+forms[last]+", not "+output)
}
