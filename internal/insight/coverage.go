package insight

import (
	"slices"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// Coverage is how much of the period before has data to compare with.
type Coverage struct {
	Partly bool
	Since  time.Time // the first bucket with data; zero if there is none
}

// Covered tells from the times of all data, of a period and of the one before,
// whether the latter was covered from its start. The API does not say since when
// there is data, but a silence at the start that is longer than any later one is
// a start, not a pause, and worth telling if it is more than a twentieth of the
// period. Without any data there is nothing to tell.
func Covered(before api.Window, bucket api.Interval, data []time.Time) Coverage {
	if len(data) == 0 {
		return Coverage{}
	}
	times := slices.SortedFunc(slices.Values(data), time.Time.Compare)
	if !times[0].Before(before.To) {
		return Coverage{Partly: true}
	}
	longest := max(Bucket(bucket), Length(before)/20)
	for i := 1; i < len(times); i++ {
		longest = max(longest, times[i].Sub(times[i-1]))
	}
	if times[0].Sub(before.From) < longest {
		return Coverage{}
	}
	return Coverage{Partly: true, Since: times[0].UTC()}
}

// Note is what to say of it beside a comparison; empty if there is nothing to say.
func (c Coverage) Note() string {
	switch {
	case !c.Partly:
		return ""
	case c.Since.IsZero():
		return "The period before has no data: there is nothing to compare with."
	}
	return "The period before has data from " + c.Since.Format(time.DateOnly) + " only: changes of counts say little."
}
