package clickhouse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// everything is all that can be read of a database, but for the keys of answers.
func (p place) everything() string {
	p.Helper()
	var all []string
	for table, what := range map[facts.Table]string{
		facts.Visits:          "concat(website_id, ' ', toString(ts), ' ', url_path, ' ', user_agent, ' ', toString(visitor))",
		facts.Totals:          "concat(website_id, ' ', toString(bucket), ' ', toString(width), ' ', toString(level), ' ', platform, ' ', toString(human_visits), ' ', toString(all_pages))",
		facts.DirectoryTotals: directoryFigures,
		facts.AgentTotals:     agentFigures,
		facts.Answers:         "concat(id, ' ', toString(ts), ' ', toString(product_id))",
		facts.Mentions:        "concat(toString(ts), ' ', toString(prompt_id), ' ', toString(product_id))",
		facts.Citations:       "concat(toString(ts), ' ', url)",
	} {
		all = append(all, string(table)+": "+p.read(what, table))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func testForget(p place) {
	whose := facts.Whose{Websites: []string{"gone'"}, Products: []int64{8}}
	load := func(p place, l *Loader, gone bool) {
		for n := range int64(3) {
			var visits, answers []any
			for i := range int64(40) {
				second, page := monday+i%3*week+i, fmt.Sprintf("/%d-%d", n, i%7)
				visits = append(visits, visit("", second, "kept", page), visit(fmt.Sprintf("k%d-%d", n, i), second, "other", page))
				kept := answer(fmt.Sprintf("kept%d-%d", n, i), second, 1+i%5, 7, 8)
				kept.ProductID = 7
				answers = append(answers, kept)
				if gone {
					visits = append(visits, visit("", second, "gone'", "/secret"+page), visit(fmt.Sprintf("g%d", i), second, "gone'", "/secret"+page))
					a := answer(fmt.Sprintf("gone%d", i), second, 11+i%5, 8)
					a.ProductID = 8
					answers = append(answers, a)
				}
			}
			p.publish(l, fmt.Sprint("v", n), visits...)
			p.publish(l, fmt.Sprint("a", n), answers...)
		}
	}
	without := newPlace(p.T, p.cluster, p.store.Config.Database+"_without")
	load(without, without.loader(), false)
	l := p.loader()
	load(p, l, true)
	plan, err := p.store.PlanForget(p.Context(), whose)
	p.must(err)
	before, err := p.follow().Acquire()
	p.must(err)
	defer before.Close()
	done, err := l.Forget(p.Context(), whose, func(int, int) {})
	p.must(err)
	if plan.Visits != 3*40+40 || plan.Answers != 40 || plan.Mentions != 40 || plan.Citations != 40 || plan.First != monday || plan.Last != monday+2*week ||
		done.Visits != plan.Visits || done.Files != plan.Files || done.Version <= plan.Version {
		p.Errorf("planned %+v, done %+v", plan, done)
	}
	p.expect(p.everything(), without.everything())
	if got := p.readSet(before, "website_id", facts.Visits); !strings.Contains(got, "gone'") {
		p.Error("a reader that was there lost its rows")
	}
	removed, err := l.Sweep(p.Context())
	if p.must(err); removed == 0 {
		p.Error("nothing was swept")
	}
	for _, server := range p.cluster.Servers {
		for _, table := range append(totalsNames(), "visits") {
			if n := server.Query("select count() from " + p.store.Config.Database + "." + table + " where website_id like 'gone%'"); n != "0" {
				p.Errorf("%s rows of %s are still there", n, table)
			}
		}
		if n := server.Query("select count() from " + p.store.Config.Database + ".answers where product_id = 8"); n != "0" {
			p.Errorf("%s answers are still there", n)
		}
	}
	if again, err := l.Forget(p.Context(), whose, func(int, int) {}); err != nil || !again.Nothing() || again.Version != done.Version {
		p.Errorf("a second time: %+v %v", again, err)
	}
	p.publish(l, "more", visit("", monday, "kept", "/more"))
	if !strings.Contains(p.read("url_path", facts.Visits), "/more") {
		p.Error("nothing can be loaded after it")
	}
}
