package catalog

import (
	"errors"

	"github.com/sightline-hq/sightline/internal/sqlite"
)

// unusable is the error of a place that holds no catalog, or a damaged one.
type unusable struct{ error }

// Lost tells whether an error means that no catalog is left to be read: it is
// missing, empty or damaged, or something else is in its place. Where there was
// one, a new one is no help, for it would have no keys.
func Lost(err error) bool {
	var u unusable
	return errors.As(err, &u) || sqlite.Damaged(err)
}
