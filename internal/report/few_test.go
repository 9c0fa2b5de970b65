package report

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// seenVisits is a reader of some visits, each with the week that it is in.
type seenVisits []facts.SeenVisit

func (s seenVisits) Few(_ context.Context, _ facts.VisitQuery, each func(*facts.SeenVisit)) (bool, error) {
	for _, v := range s {
		each(&v)
	}
	return true, nil
}

func (seenVisits) Totals(context.Context, facts.TotalsQuery, func(*facts.TotalsRow)) error {
	panic("nobody asks for totals")
}

func (seenVisits) Agents(context.Context, facts.TotalsQuery, func(*facts.AgentsRow)) error {
	panic("nobody asks for agents")
}

// someVisits are bots and humans in two weeks of a website, on every day. Numbers
// of texts differ from week to week.
func someVisits(random *rand.Rand, texts uint32) (all seenVisits) {
	for week := range int64(2) {
		of := &facts.SeenWeek{Start: 4*facts.DaySeconds + week*facts.WeekSeconds, Visits: 300, Texts: facts.Words{3, 3, texts, texts, texts}}
		for range of.Visits {
			platform, path := random.Uint32N(3), random.Uint32N(5)
			name := func(n uint32) string { return fmt.Sprint("/", (int64(n)+week)%5) }
			all = append(all, facts.SeenVisit{
				SeenWeek: of, Second: of.Start + random.Int64N(facts.WeekSeconds), Bot: random.IntN(2) == 0,
				Origin: &facts.Origin{Platform: fmt.Sprint("p", (int64(platform)+week)%3), BotType: "b"},
				Page:   &facts.Page{URLPath: name(path), NormalizedURLPath: name(path), URLPathDirectory: "/"},
				Words:  facts.Words{platform, 0, path, path, 0},
			})
		}
	}
	return all
}

// Rows are the same whether they are found in a grid or, where a week has very many
// texts, in a map.
func TestFewVisitsAreGroupedByTheirTexts(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, interval := range []api.Interval{api.Day, api.Week} {
		for _, texts := range []uint32{5, 100_000} {
			visits := someVisits(random, texts)
			req := api.TimeseriesRequest{
				Interval: interval, Metrics: []api.Metric{api.BotVisits, api.HumanVisits}, GroupBy: []api.Dimension{api.ByURLPath, api.ByPlatform},
			}
			rows, ok, err := few(t.Context(), visits, timeseriesPlan{WebsiteIDs: []string{"w"}}, req)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			want := make(map[string]*[2]int)
			for _, v := range visits {
				key := fmt.Sprint(bucketStart(v.Second, interval), v.URLPath, v.Platform)
				if want[key] == nil {
					want[key] = new([2]int)
				}
				if v.Bot {
					want[key][0]++
				} else {
					want[key][1]++
				}
			}
			var got, expected []string
			for i := range rows.len() {
				r := rows.row(i)
				got = append(got, fmt.Sprintf("%d%s %v", r.bucket, strings.Join(r.dimensions, ""), r.metrics))
			}
			for key, n := range want {
				expected = append(expected, fmt.Sprintf("%s %v", key, *n))
			}
			slices.Sort(got)
			slices.Sort(expected)
			if !slices.Equal(got, expected) {
				t.Errorf("%s, %d texts: %d rows\n%v, want %d\n%v", interval, texts, len(got), got, len(expected), expected)
			}
		}
	}
}
