package facts

import "context"

// Pages is a Set that finds the visits to a page in less time than a condition on
// their path takes.
type Pages interface {
	// OfPage is the same set, but that there are no other visits between two seconds
	// than those to a page, and none before and after. It is closed with the set.
	OfPage(ctx context.Context, normalizedURLPath string, first, last int64) (Set, error)
}
