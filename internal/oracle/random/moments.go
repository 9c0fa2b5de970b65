package random

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// span is a run of days.
type span struct {
	first time.Time
	days  int
}

// spans cross years, ISO years (2025-12-29 is in 2026-W01, 2020 has a week 53),
// a leap day and plain months.
var spans = []span{
	{day(2025, 12, 22), 28},
	{day(2024, 12, 23), 21},
	{day(2020, 12, 21), 21},
	{day(2024, 2, 19), 21},
	{day(2026, 2, 16), 35},
}

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

const daySeconds = 24 * 60 * 60

// period draws the days on which a world's events happen: all days of a span,
// or a few, which makes for rows with many events and for gaps.
func period(t *rapid.T) (days []time.Time) {
	s := pick(t, spans)
	for i := range s.days {
		days = append(days, s.first.AddDate(0, 0, i))
	}
	if percent(t, 30) {
		return days
	}
	return shuffled(t, days)[:1+upTo(t, 6)]
}

// clocks are the seconds of a day at which most events happen: its edges first.
var clocks = []int{0, daySeconds - 1, 1, daySeconds - 2, daySeconds / 2, 33_300, 33_300}

// moment draws the time of an event, in the forms that senders use.
func moment(t *rapid.T, days []time.Time) oracle.Moment {
	second := pick(t, clocks)
	if percent(t, 30) {
		second = upTo(t, daySeconds)
	}
	at := pick(t, days).Add(time.Duration(second) * time.Second)
	fraction, zone := "", "Z"
	if percent(t, 25) {
		fraction = pick(t, []string{".5", ".999999999", ".000001", ".25"})
	}
	if percent(t, 25) {
		zone = pick(t, []string{"+00:00", "+05:30", "-08:00", "+14:00"})
	}
	return oracle.Moment{Sent: spell(at, fraction, zone), Time: at}
}

// spell writes a time in a zone such as Z, -00:00 or +05:30.
func spell(at time.Time, fraction, zone string) string {
	return at.Add(offset(zone)).Format("2006-01-02T15:04:05") + fraction + zone
}

func offset(zone string) time.Duration {
	if strings.EqualFold(zone, "z") {
		return 0
	}
	var hours, minutes time.Duration
	if _, err := fmt.Sscanf(zone[1:], "%d:%d", &hours, &minutes); err != nil {
		panic(err) // the zones are written in this package
	}
	if zone[0] == '-' {
		return -hours*time.Hour - minutes*time.Minute
	}
	return hours*time.Hour + minutes*time.Minute
}
