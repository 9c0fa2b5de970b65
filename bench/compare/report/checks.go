package report

import (
	"fmt"
	"math"
	"strings"
)

// Check is a promise, and whether it held.
type Check struct {
	What string
	Saw  string
	OK   bool
}

const (
	maxPeak      = 400e6 // bytes
	maxStart     = 1000  // ms
	maxStartWeek = 156
	atLeastWeb   = 15_000
	maxTenants   = 1.2
	atLeastThere = 5
	noise        = 0.3 // ms that two medians may differ by chance
)

// Checks lists every promise that something was measured for.
func (r *Results) Checks() (all []Check) {
	for _, q := range r.Questions {
		if q.AtLeast > 1 {
			all = append(all, Check{fmt.Sprintf("question %d, %s: at least %.0f × the best engine", q.Number, q.Title, q.AtLeast),
				fmt.Sprintf("%.1f ×", q.ratio()), q.ratio() >= q.AtLeast})
		}
	}
	if len(r.Questions) > 0 {
		all = append(all, r.neverSlower(), r.overhead())
	}
	if r.Copy != nil {
		all = append(all, r.onServer())
	}
	all = append(all, r.webChecks()...)
	if len(r.Tenants) > 0 {
		all = append(all, r.tenants())
	}
	if len(r.Days) > 0 {
		all = append(all, r.linear())
	}
	for _, w := range r.Weeks {
		if w.Weeks == maxStartWeek {
			all = append(all, Check{fmt.Sprintf("with %d weeks, the first answer comes less than 1 s after the start", w.Weeks), millis(w.Start), w.Start < maxStart})
		}
	}
	if peak := r.peak(); peak > 0 {
		all = append(all, Check{"serve takes less than 400 MB through the whole benchmark", fmt.Sprintf("%.0f MB", float64(peak)/1e6), float64(peak) < maxPeak})
	}
	for _, kind := range []string{"visits", "answers"} {
		if l := r.Loads[kind]; l != nil {
			all = append(all, l.checks(kind)...)
		}
	}
	return all
}

func (r *Results) peak() (most int64) {
	for _, p := range r.Peaks {
		most = max(most, p)
	}
	return most
}

func (r *Results) neverSlower() Check {
	var slower []string
	least := math.Inf(1)
	for _, q := range r.Questions {
		least = min(least, q.ratio())
		if q.ratio() < 1 {
			slower = append(slower, fmt.Sprint(q.Number))
		}
	}
	c := Check{fmt.Sprintf("never slower than the best engine on any of %d questions", len(r.Questions)), fmt.Sprintf("at worst %.1f ×", least), len(slower) == 0}
	if !c.OK {
		c.Saw += ", slower on " + strings.Join(slower, ", ")
	}
	return c
}

// onServer compares Sightline on a ClickHouse server with SQL on plain tables
// there.
func (r *Results) onServer() Check {
	var slower []string
	least := math.Inf(1)
	for _, q := range r.Questions {
		if ratio := q.onClickHouse(); q.Traffic && ratio > 0 {
			least = min(least, ratio)
			if ratio < atLeastThere {
				slower = append(slower, fmt.Sprintf("%d (%.1f ×)", q.Number, ratio))
			}
		}
	}
	reached, n := r.there()
	c := Check{fmt.Sprintf("with the facts in ClickHouse: at least %d × SQL on plain tables there, on each of %d questions about traffic", atLeastThere, n),
		fmt.Sprintf("at worst %.1f ×", least), n > 0 && reached == n}
	if n == 0 {
		c.Saw = "none was asked"
	}
	if len(slower) > 0 {
		c.Saw += fmt.Sprintf(", less on %d of them: %s", len(slower), strings.Join(slower, ", "))
	}
	return c
}

// overhead compares what a caller sees with the time of the report alone.
func (r *Results) overhead() Check {
	var over []string
	var most float64
	for _, q := range r.Questions {
		cost, allowed := q.cost()
		most = max(most, cost)
		if cost > allowed {
			over = append(over, fmt.Sprintf("%d (%s over %s%s)", q.Number, millis(cost), millis(Median(q.Own)), q.wire(allowed)))
		}
	}
	c := Check{"HTTP, authentication and JSON cost at most 1 ms or 10 % of the report's own time", "at most " + millis(most), len(over) == 0}
	if !c.OK {
		c.Saw += "; more on " + strings.Join(over, ", ")
	}
	return c
}

// cost is what HTTP, authentication and JSON take, and what they may.
func (q *Question) cost() (cost, allowed float64) {
	own := Median(q.Own)
	return Median(q.Times[Sightline]) - own, max(1, own/10)
}

// wire says that sending the bytes alone takes longer than is allowed.
func (q *Question) wire(allowed float64) string {
	if len(q.Wire) == 0 || Median(q.Wire) <= allowed {
		return ""
	}
	return fmt.Sprintf("; sending %.1f MB takes %s", float64(q.Bytes)/1e6, millis(Median(q.Wire)))
}

func (r *Results) webChecks() (all []Check) {
	for _, w := range r.Web {
		if w.AtLeast > 0 {
			all = append(all, Check{fmt.Sprintf("%s: at least %.0f requests a second with wrk on the same cores", w.What, w.AtLeast),
				fmt.Sprintf("%.0f", w.PerSecond), w.PerSecond >= w.AtLeast})
		}
	}
	for _, p := range r.Paced {
		all = append(all, Check{p.What + ": p99 under 10 ms at half of that rate", fmt.Sprintf("%s at %.0f a second", millis(float64(p.P99.Microseconds())/1000), p.Rate),
			p.P99.Milliseconds() < 10 && p.Rate > atLeastWeb/2*0.97})
	}
	return all
}

func (r *Results) tenants() Check {
	worst, slower := 0.0, 0
	for _, t := range r.Tenants {
		worst = max(worst, t.Ten/t.Base)
		if t.Ten > maxTenants*t.Base && t.Ten-t.Base > noise {
			slower++
		}
	}
	return Check{"ten times more data of other tenants: at most 1.2 × slower, or 0.3 ms", fmt.Sprintf("at worst %.2f ×, %d of %d questions slower", worst, slower, len(r.Tenants)), slower == 0}
}

// linear looks at each step to more days.
func (r *Results) linear() Check {
	worst := 0.0
	ok := true
	for _, d := range r.Days {
		for i := 1; i < len(d.Days); i++ {
			grows := d.Times[i] / d.Times[i-1] / (float64(d.Days[i]) / float64(d.Days[i-1]))
			worst = max(worst, grows)
			ok = ok && (grows <= 1 || d.Times[i]-d.Times[i-1] <= noise)
		}
	}
	return Check{"cost grows no faster than linearly in days", fmt.Sprintf("at worst %.2f of linear", worst), ok}
}

func (l *Load) checks(kind string) (all []Check) {
	if l.Sizes.RawSum > 0 {
		share := l.Sizes.RollSum / l.Sizes.RawSum
		all = append(all, Check{kind + ": rollups take at most half of the raw bytes", fmt.Sprintf("%.0f %%", 100*share), share <= 0.5})
	}
	if len(l.Uncounted) > 0 {
		ratio := Median(l.Counted) / Median(l.Uncounted)
		all = append(all, Check{kind + ": rollups at most double the time of a load", fmt.Sprintf("%.2f ×", ratio), ratio <= 2})
	}
	return all
}

// millis shows a time so that small and large ones can be read.
func millis(ms float64) string {
	switch {
	case ms >= 10_000:
		return fmt.Sprintf("%.0f s", ms/1000)
	case ms >= 1000:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms >= 100:
		return fmt.Sprintf("%.0f ms", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.2f ms", ms)
}
