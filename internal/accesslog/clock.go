package accesslog

// combinedTime is the length of "02/Jan/2006:15:04:05 -0700".
const combinedTime = 26

// clock reads times as web servers write them. It remembers the last minute:
// most lines of a log lie in the minute of the line before.
type clock struct {
	text   [combinedTime]byte
	minute int64 // when the minute of text begins
}

func (c *clock) read(t []byte) (second int64, ok bool) {
	if len(t) != combinedTime || t[2] != '/' {
		return 0, false
	}
	if string(t[:18]) != string(c.text[:18]) || string(t[20:]) != string(c.text[20:]) {
		minute, ok := combinedMinute(t)
		if !ok {
			return 0, false
		}
		copy(c.text[:], t)
		c.minute = minute
	}
	s := two(t, 18)
	second = c.minute + int64(s)
	return second, s >= 0 && s < 60 && second >= 0 && second <= maxSecond
}

func combinedMinute(t []byte) (int64, bool) {
	if t[6] != '/' || t[11] != ':' || t[14] != ':' || t[17] != ':' || t[20] != ' ' {
		return 0, false
	}
	day, ok := days(four(t, 7), month(t[3:6]), two(t, 0))
	if !ok {
		return 0, false
	}
	clock, ok := secondOfDay(two(t, 12), two(t, 15), 0)
	if !ok {
		return 0, false
	}
	zone, ok := offset(t[21:])
	return day*86400 + clock - zone, ok
}

func month(name []byte) int {
	switch string(name) {
	case "Jan":
		return 1
	case "Feb":
		return 2
	case "Mar":
		return 3
	case "Apr":
		return 4
	case "May":
		return 5
	case "Jun":
		return 6
	case "Jul":
		return 7
	case "Aug":
		return 8
	case "Sep":
		return 9
	case "Oct":
		return 10
	case "Nov":
		return 11
	case "Dec":
		return 12
	}
	return -1
}
