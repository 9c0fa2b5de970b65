package show

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/internal/insight"
)

// text writes a value for people, as plain as a pipe wants it.
func (c Column) text(v any) string {
	switch v := v.(type) {
	case nil:
		return noValue
	case string:
		if c.Unit == Moment {
			v, _, _ = strings.Cut(v, "T")
		}
		return Printable(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case Names:
		return Printable(strings.Join(v.Names, ", "))
	case Series:
		return Spark(v, len(v))
	case *insight.Interval:
		return fmt.Sprintf("%s–%s %%", percent(v.Low), percent(v.High))
	case Delta:
		if v.chance() {
			return c.fraction(v.Change) + " ~"
		}
		return c.fraction(v.Change)
	case int64:
		return c.integer(v)
	case float64:
		return c.fraction(v)
	}
	panic(fmt.Sprintf("a value of type %T", v))
}

func (c Column) integer(v int64) string {
	if c.Unit == Places {
		return signed(strconv.FormatInt(v, 10), float64(v))
	}
	return strconv.FormatInt(v, 10)
}

func (c Column) fraction(v float64) string {
	switch c.Unit {
	case Share:
		return percent(v) + " %"
	case Points:
		return signed(strconv.FormatFloat(insight.InPoints(v), 'f', 1, 64), v) + " pp"
	case Relative:
		return signed(percent(v), v) + " %"
	case Places:
		return signed(fmt.Sprintf("%.2f", v), v)
	}
	return fmt.Sprintf("%.2f", v)
}

func percent(share float64) string { return strconv.FormatFloat(share*100, 'f', 1, 64) }

// signed puts a plus before what has grown, and none before what rounds to
// zero.
func signed(text string, v float64) string {
	digits := strings.TrimPrefix(text, "-")
	switch {
	case strings.Trim(digits, "0.") == "":
		return digits
	case v > 0:
		return "+" + digits
	}
	return "-" + digits
}

// grouped writes 1,980 for 1980.
func grouped(digits string) string {
	whole, rest := digits, ""
	if i := strings.IndexFunc(strings.TrimPrefix(digits, "-"), func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		i += len(digits) - len(strings.TrimPrefix(digits, "-"))
		whole, rest = digits[:i], digits[i:]
	}
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + rest
}

// arrow writes a change for a terminal: up is better.
func arrow(text string) string {
	switch {
	case strings.HasPrefix(text, "+"):
		return "▲ " + text[1:]
	case strings.HasPrefix(text, "-"):
		return "▼ " + text[1:]
	}
	return text
}

// right tells whether values stand right in their column.
func (c Column) right() bool {
	switch c.Unit {
	case Text, Address, Flag, Moment, Listing, Trend:
		return false
	}
	return true
}

// wide tells whether a column may be made narrower.
func (c Column) wide() bool { return c.Unit == Text || c.Unit == Address || c.Unit == Listing }

func (c Column) shorten(s string, limit int) string {
	if c.Unit == Address {
		return cutMiddle(s, limit)
	}
	return cut(s, limit)
}

// share is how long the bar of a value is, of a column whose highest is top.
func (c Column) share(v any, top float64) (float64, bool) {
	f := float(v)
	switch {
	case f == nil:
		return 0, false
	case c.Unit == Share:
		return *f, true
	case top == 0 || math.IsNaN(*f):
		return 0, true
	}
	return *f / top, true
}
