package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError says what is wrong with a flag. Those who look for --api-key are
// told where the key belongs; what they wrote is not repeated.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		if name := unknown.GetSpecifiedName(); c.Flags().Lookup("api-key-file") != nil && (strings.HasPrefix(name, "api-key") || strings.HasPrefix(name, "key")) {
			return wrong(c, "takes the key from the variable SIGHTLINE_API_KEY or from --api-key-file, where no list of processes shows it")
		}
		return wrong(c, "has an "+err.Error()+meantFlag(c, unknown.GetSpecifiedName()))
	case errors.As(err, &bare):
		return wrong(c, "needs a value behind --"+bare.GetFlag().Name)
	case errors.As(err, &invalid):
		return wrong(c, fmt.Sprintf("has a wrong --%s: %s", invalid.GetFlag().Name, wrongValue(invalid)))
	}
	return wrong(c, err.Error())
}

// meantFlag suggests the flag that is spelt most alike.
func meantFlag(c *cobra.Command, name string) string {
	best, least := "", 3 // further letters make another word
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := distance(name, f.Name); !f.Hidden && d < least {
			best, least = f.Name, d
		}
	})
	if best == "" || len(name) < 3 {
		return ""
	}
	return ": did you mean --" + best + "?"
}

// distance is how many letters have to be added, removed or replaced to make one
// word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := left
			if a[i] != b[j] {
				replaced++
			}
			left = row[j+1]
			row[j+1] = min(replaced, row[j]+1, left+1)
		}
	}
	return row[len(b)]
}

// wrongValue says what a value should be, in words that are not Go's.
func wrongValue(e *pflag.InvalidValueError) string {
	switch kind := e.GetFlag().Value.Type(); {
	case strings.HasPrefix(kind, "int"):
		return fmt.Sprintf("%q is no whole number", e.GetValue())
	case kind == "duration":
		return fmt.Sprintf("%q is no time such as 30s or 2m", e.GetValue())
	case kind == "bool":
		return fmt.Sprintf("%q is neither true nor false", e.GetValue())
	}
	return e.Unwrap().Error()
}

// clientError names the flags that a client of the API did not like.
func clientError(err error) error {
	what, _ := strings.CutPrefix(err.Error(), "client: ")
	what = strings.Replace(what, "base URL:", "--base-url (SIGHTLINE_BASE_URL)", 1)
	return usageError{errors.New(strings.Replace(what, "key:", "the API key", 1))}
}
