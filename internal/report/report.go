// Package report is the seven answers. Each goes the same way: a request is
// planned into a value, the plan is rendered into SQL from the files in sql/,
// the rows are collected, and shaped into the answer type. It knows neither
// HTTP nor the name of an engine.
//
// Reports take a catalog.Primary, which only a scope can make: a report on a
// product that the caller may not see does not compile.
package report

import (
	"errors"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Reports answers from published facts.
type Reports struct {
	Facts facts.Source
	// Plain leaves aside what was counted or packed beforehand, and reads rows by
	// SQL: the answers are the same, and a test sees to that.
	Plain bool
	// Many has the engine count visits, also if they are few.
	Many bool
}

// ErrLabel means that a label is not one of the product's.
var ErrLabel = errors.New("not a label of this product")
