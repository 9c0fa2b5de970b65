package insight

import (
	"time"

	"github.com/sightline-hq/sightline/api"
)

// Partial says which buckets of a series count less than a whole day or week,
// because the period begins or ends inside them: they look like a fall, and are
// none. Empty if all are whole.
func Partial(w api.Window, bucket api.Interval) string {
	length := Bucket(bucket)
	end := w.To.UTC().Add(time.Second).Truncate(time.Second)
	first, last := !whole(w.From.UTC(), length), !whole(end, length)
	one := w.From.UTC().Truncate(length).Equal(end.Add(-time.Second).Truncate(length))
	switch name := string(bucket); {
	case one && (first || last):
		return "The " + name + " is partial."
	case first && last:
		return "The first and the last " + name + " are partial."
	case first:
		return "The first " + name + " is partial."
	case last:
		return "The last " + name + " is partial."
	}
	return ""
}

// whole tells whether a bucket begins at a time; weeks begin on Mondays, as
// package time counts them.
func whole(t time.Time, length time.Duration) bool { return t.Truncate(length).Equal(t) }
