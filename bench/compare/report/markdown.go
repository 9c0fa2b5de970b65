package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Markdown writes everything down.
func (r *Results) Markdown() string {
	var b strings.Builder
	r.head(&b)
	r.promises(&b)
	r.questions(&b)
	r.overheads(&b)
	r.onClickHouse(&b)
	r.loads(&b)
	r.web(&b)
	r.growth(&b)
	return b.String()
}

func (r *Results) head(b *strings.Builder) {
	fmt.Fprintf(b, "# Sightline and hand-written SQL, side by side\n\n")
	fmt.Fprintf(b, "Written by `make bench` on %s. %s, %d cores, %.1f GiB of memory, %s, %s.\n", r.When, r.Machine.CPU, r.Machine.Cores,
		float64(r.Machine.Memory)/(1<<30), r.Machine.System, r.Machine.Go)
	fmt.Fprintf(b, "The data: %s visits of %d days on 50 websites, %s answers of a year; seed %d.\n", thousands(int64(r.Size.Visits)), r.Size.VisitDays, r.answers(), r.Size.Seed)
	fmt.Fprintf(b, "Sightline is asked over HTTP and remembers no answers (`serve --no-cache --memory %s`). It has compared the files\n"+
		"of the facts with their sums by then, which takes a while after its start. The engines are asked the same in\n"+
		"[SQL that an expert would write](compare/questions/sql) on plain sorted tables, in the same run, in turns; times are medians of what a caller waits.\n", r.Memory)
	if len(r.Questions) > 0 {
		fmt.Fprintf(b, "All answers were compared, and are equal: a difference ends the run.\n")
	}
	if len(r.Without) > 0 {
		fmt.Fprintf(b, "\n**Left out of this run: %s.** The best engine is the best of those that were asked.\n", strings.Join(r.Without, ", "))
	}
	fmt.Fprintf(b, "\n![Times of all questions on all engines](results.svg)\n")
}

func (r *Results) answers() string {
	if l := r.Loads["answers"]; l != nil {
		return thousands(l.Rows)
	}
	return "some"
}

func (r *Results) promises(b *strings.Builder) {
	fmt.Fprintf(b, "\n## What was promised\n\n| | promise | measured |\n|---|---|---|\n")
	for _, c := range r.Checks() {
		verdict := "pass"
		if !c.OK {
			verdict = "**fail**"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", verdict, c.What, c.Saw)
	}
}

func (r *Results) questions(b *strings.Builder) {
	if len(r.Questions) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## The questions\n\n| | question | Sightline |")
	for _, e := range r.Engines {
		fmt.Fprintf(b, " %s %s |", e.Title, e.Version)
	}
	fmt.Fprintf(b, " × the best |\n|---|---|%s\n", strings.Repeat("---|", 2+len(r.Engines)))
	for _, q := range r.Questions {
		fmt.Fprintf(b, "| %d | %s | %s |", q.Number, q.Title, millis(Median(q.Times[Sightline])))
		best, _ := q.best()
		for _, e := range r.Engines {
			text := q.shown(e.Name)
			if e.Name == best {
				text = "**" + text + "**"
			}
			fmt.Fprintf(b, " %s |", text)
		}
		fmt.Fprintf(b, " %.1f |\n", q.ratio())
	}
}

// largeAnswer is from how many bytes on an answer is large.
const largeAnswer = 50_000

// overheads shows what a caller of large answers waits for.
func (r *Results) overheads(b *strings.Builder) {
	if len(r.Questions) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## What HTTP and JSON cost\n\nFor answers of at least %d kB. The report alone is what `serve --timing` says; what a caller waits beside it is authentication, JSON, its tag\n"+
		"and the way of the bytes. The wire alone is what a bare server takes, which only sends as many bytes from memory to the same client\n"+
		"([wire](compare/wire)): nobody who answers over HTTP can take less.\n\n", largeAnswer/1000)
	fmt.Fprintf(b, "| | question | answer | the report alone | HTTP and JSON | 1 ms or 10 %% | the wire alone |\n|---|---|---|---|---|---|---|\n")
	for _, q := range r.Questions {
		if q.Bytes < largeAnswer || len(q.Wire) == 0 {
			continue
		}
		cost, allowed := q.cost()
		verdict := "yes"
		switch {
		case cost > allowed && Median(q.Wire) > allowed:
			verdict = "**no**, nor does the wire"
		case cost > allowed:
			verdict = "**no**"
		}
		fmt.Fprintf(b, "| %d | %s | %.2f MB | %s | %s | %s | %s |\n", q.Number, q.Title, float64(q.Bytes)/1e6, millis(Median(q.Own)), millis(cost), verdict, millis(Median(q.Wire)))
	}
}

// shown is the median of an engine, if it was asked.
func (q *Question) shown(name string) string {
	if len(q.Times[name]) == 0 {
		return "–"
	}
	return millis(Median(q.Times[name]))
}

// onClickHouse is about Sightline on a ClickHouse server and SQL on plain tables
// there, and says which questions about traffic keep the promise.
func (r *Results) onClickHouse(b *strings.Builder) {
	if r.Copy == nil {
		return
	}
	fmt.Fprintf(b, "\n## With the facts in ClickHouse\n\nSightline with its facts in a database of its own on the ClickHouse server (`serve --facts clickhouse://…`), over HTTP and with nothing\n"+
		"remembered, beside SQL on the plain tables of the same server, in the same run, in turns. Its answers were compared, too. `sightline copy`\n"+
		"took %.0f s to fill the database, and it takes %.2f GB on disk.\n", r.Copy.Seconds, float64(r.Copy.Bytes)/1e9)
	reached, asked := r.there()
	fmt.Fprintf(b, "%d of %d questions about traffic are answered at least %d × as fast; about answers, nothing is promised.\n\n", reached, asked, atLeastThere)
	fmt.Fprintf(b, "| | question | SQL on plain tables | Sightline | × SQL | %d × |\n|---|---|---|---|---|---|\n", atLeastThere)
	for _, q := range r.Questions {
		ratio, verdict := "–", ""
		if times := q.onClickHouse(); times > 0 {
			ratio = fmt.Sprintf("%.1f", times)
			switch {
			case q.Traffic && times >= atLeastThere:
				verdict = "yes"
			case q.Traffic:
				verdict = "**no**"
			}
		}
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s | %s |\n", q.Number, q.Title, q.shown(ClickHouse), q.shown(OnClickHouse), ratio, verdict)
	}
}

// there counts the questions about traffic that were asked on the ClickHouse
// server, and those that keep the promise.
func (r *Results) there() (reached, asked int) {
	for _, q := range r.Questions {
		if ratio := q.onClickHouse(); q.Traffic && ratio > 0 {
			asked++
			if ratio >= atLeastThere {
				reached++
			}
		}
	}
	return reached, asked
}

func (r *Results) loads(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Loading\n\n")
	fmt.Fprintf(b, "| | events | seconds | events/s | peak memory | files | bytes/event | raw | rollups |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range slices.Sorted(maps.Keys(r.Loads)) {
		l := r.Loads[kind]
		n := float64(max(1, l.Rows))
		fmt.Fprintf(b, "| %s | %s | %.1f | %s | %.0f MB | %d | %.1f | %.1f | %.1f |\n", kind, thousands(l.Rows), l.Seconds, thousands(int64(n/l.Seconds)),
			float64(l.Memory)/1e6, l.Sizes.Files, float64(l.Sizes.Bytes)/n, l.Sizes.RawSum/n, l.Sizes.RollSum/n)
	}
	fmt.Fprintf(b, "\nBytes of tables, per event: %s.\n", strings.Join(r.tables(), ", "))
	fmt.Fprintf(b, "\nWhat the other engines take for the same data, indexes included: ")
	var list []string
	for _, e := range r.Engines {
		filled := fmt.Sprintf("filled in %.0f s", e.Seconds)
		if e.Seconds < 1 { // the data were there
			filled = "filled before"
		}
		list = append(list, fmt.Sprintf("%s %.2f GB, %s", e.Title, float64(e.Bytes)/1e9, filled))
	}
	fmt.Fprintf(b, "%s.\n", strings.Join(list, "; "))
}

func (r *Results) tables() (list []string) {
	for _, kind := range slices.Sorted(maps.Keys(r.Loads)) {
		l := r.Loads[kind]
		for _, tables := range []map[string]float64{l.Sizes.Raw, l.Sizes.Rollups} {
			for _, name := range slices.Sorted(maps.Keys(tables)) {
				list = append(list, fmt.Sprintf("%s %.2f", name, tables[name]/float64(max(1, l.Rows))))
			}
		}
	}
	return list
}

func (r *Results) web(b *strings.Builder) {
	if len(r.Web)+len(r.Paced) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Requests a second\n\n| | | requests/s | p50 | p99 |\n|---|---|---|---|---|\n")
	for _, w := range r.Web {
		fmt.Fprintf(b, "| wrk, %d connections, %d s | %s | %.0f | %s | %s |\n", w.Conn, w.Seconds, w.What, w.PerSecond, millis(w.P50), millis(w.P99))
	}
	for _, p := range r.Paced {
		fmt.Fprintf(b, "| at a fixed rate | %s | %.0f | %s | %s |\n", p.What, p.Rate, millis(float64(p.P50.Microseconds())/1000), millis(float64(p.P99.Microseconds())/1000))
	}
	fmt.Fprintf(b, "\nWho asks and who answers share the cores.\n")
}

func (r *Results) growth(b *strings.Builder) {
	if len(r.Days)+len(r.Tenants)+len(r.Weeks) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Growth\n")
	if len(r.Days) > 0 {
		days := []int{7, 30, 90, 180, 365}
		fmt.Fprintf(b, "\nMore days:\n\n| question |")
		for _, d := range days {
			fmt.Fprintf(b, " %d |", d)
		}
		fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(days)))
		for _, d := range r.Days {
			fmt.Fprintf(b, "| %s |", d.Title)
			for _, n := range days {
				if i := slices.Index(d.Days, n); i >= 0 {
					fmt.Fprintf(b, " %s |", millis(d.Times[i]))
				} else {
					fmt.Fprintf(b, " – |")
				}
			}
			fmt.Fprintln(b)
		}
	}
	if len(r.Weeks) > 0 {
		fmt.Fprintf(b, "\nMore weeks in the data directory, with few visits each (the files are in the page cache):\n\n| weeks | files | start to first answer | 30 days | all days | peak memory |\n|---|---|---|---|---|---|\n")
		for _, w := range r.Weeks {
			fmt.Fprintf(b, "| %d | %d | %s | %s | %s | %.0f MB |\n", w.Weeks, w.Files, millis(w.Start), millis(w.Month), millis(w.All), float64(w.Peak)/1e6)
		}
	}
	if len(r.Tenants) > 0 {
		fmt.Fprintf(b, "\nTen times more data of other tenants, a twentieth of the visits above:\n\n| question | once | ten times | × |\n|---|---|---|---|\n")
		for _, t := range r.Tenants {
			fmt.Fprintf(b, "| %s | %s | %s | %.2f |\n", t.Title, millis(t.Base), millis(t.Ten), t.Ten/t.Base)
		}
	}
}

// thousands shows a number with separators.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
