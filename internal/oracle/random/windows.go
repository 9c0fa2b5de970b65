package random

import (
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

// fraction is a part of a second, as sent and in nanoseconds.
type fraction struct {
	sent  string
	nanos time.Duration
}

var fractions = []fraction{
	{".5", 500_000_000}, {".000000001", 1}, {".999999999", 999_999_999}, {".0", 0}, {".000000000000", 0},
}

// tooFine is more than nanoseconds can say, but later than the whole second.
var tooFine = fraction{".0000000000001", 1}

// window draws a period, mostly one whose edges touch the events, and sends it
// in any of the forms of RFC 3339.
func window(t *rapid.T, events []time.Time, p *params) api.Window {
	from, to := ends(t, events)
	if from.After(to) {
		from, to = to, from
	}
	var end fraction
	if percent(t, 20) {
		end = pick(t, fractions)
	}
	var start fraction
	if percent(t, 25) {
		start = pick(t, append(fractions, tooFine))
		if from.Equal(to) && start.nanos > end.nanos {
			start = end
		}
	}
	p.set("dateFrom", rfc3339(t, from, start.sent))
	p.set("dateTo", rfc3339(t, to, end.sent))
	return api.Window{From: from.Add(start.nanos), To: to.Add(end.nanos)}
}

// ends draws two whole seconds, in either order.
func ends(t *rapid.T, events []time.Time) (from, to time.Time) {
	if len(events) == 0 {
		events = []time.Time{day(2026, 3, 1)}
	}
	first, last := extent(events)
	switch n := upTo(t, 18); {
	case n < 7: // the days of all events
		return first.Truncate(24 * time.Hour), last.Truncate(24 * time.Hour).Add((daySeconds - 1) * time.Second)
	case n < 8: // as wide as the calendar
		return day(1, 1, 1), day(9999, 12, 31).Add((daySeconds - 1) * time.Second)
	case n < 9: // years wide
		return day(1990, 1, 1), day(2100, 1, 1)
	case n < 13: // from event to event
		return beside(t, events), beside(t, events)
	case n < 14: // one second
		at := beside(t, events)
		return at, at
	case n < 16: // parts of days and weeks
		hours := int(last.Sub(first)/time.Hour) + 1
		return first.Add(time.Duration(upTo(t, hours)) * time.Hour), first.Add(time.Duration(upTo(t, hours)) * time.Hour)
	case n < 17: // to a month's end, which may be sent as a leap second
		return pick(t, events), monthEnd(first)
	default: // nothing
		return day(2015, 6, 1), day(2015, 6, 30)
	}
}

func extent(events []time.Time) (first, last time.Time) {
	first, last = events[0], events[0]
	for _, e := range events {
		if e.Before(first) {
			first = e
		}
		if e.After(last) {
			last = e
		}
	}
	return first, last
}

// beside is an event's second, or the one before or after it.
func beside(t *rapid.T, events []time.Time) time.Time {
	return pick(t, events).Add(time.Duration(upTo(t, 3)-1) * time.Second)
}

// monthEnd is the last second of the month.
func monthEnd(at time.Time) time.Time {
	return day(at.Year(), at.Month()+1, 1).Add(-time.Second)
}

var zones = []string{"Z", "Z", "z", "+00:00", "-00:00", "+05:30", "-11:45", "+14:00", "-23:59"}

// rfc3339 spells a time. Offsets are kept away from the edges of the calendar,
// and a leap second stands for the last second of a month.
func rfc3339(t *rapid.T, at time.Time, fraction string) string {
	zone := pick(t, zones)
	if at.Year() == 1 || at.Year() == 9999 {
		zone = "Z"
	}
	text := spell(at, fraction, zone)
	if at.Equal(monthEnd(at)) && fraction == "" && percent(t, 60) {
		text = text[:17] + "60" + text[19:]
	}
	if percent(t, 10) {
		text = strings.Replace(text, "T", "t", 1)
	}
	return text
}

// badTimes are no RFC 3339 date-times. The last is what a + that was not
// escaped turns into.
var badTimes = []string{
	"2026-03-01", "2026-03-01T00:00:00", "2026-03-01T00:00Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
	"2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-03-00T00:00:00Z", "2026-03-01T24:00:00Z",
	"2026-03-01T00:60:00Z", "2026-03-01T00:00:61Z", "2026-03-01T00:00:00.Z", "2026-03-01T00:00:00,5Z",
	"2026-03-01T00:00:00+0100", "2026-03-01T00:00:00+01", "2026-03-01T00:00:00+24:00", "2026-03-01T00:00:00ZZ",
	"2026-3-1T00:00:00Z", "2026-03-01T0:00:00Z", "20260301T000000Z", "26-03-01T00:00:00Z", "+2026-03-01T00:00:00Z",
	"yesterday", "1772323200", "2026-W10-1T00:00:00Z", "2026-03-01T00:00:00 01:00",
}
