package demo

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// kind is what a website is for: its pages and its visitors' habits.
type kind struct {
	pages   []string    // the most popular first
	series  [][2]string // directory, slugs: one page for each slug
	weekend float64     // share of a working day's humans
	peak    int         // hour of the day, UTC
}

// profile is what sets a website apart from others of its kind.
type profile struct {
	like   string  // its kind
	visits float64 // a day, at the beginning of 2026
	growth float64 // share of these a day
}

var profiles = map[string]profile{
	"w-taskharbor":        {"app", 360, 0.0014},
	"w-taskharbor-docs":   {"docs", 225, 0.0018},
	"w-toolscout":         {"reviews", 110, 0.0006},
	"w-inkfern":           {"app", 208, 0.0010},
	"w-trailmoor":         {"shop", 275, 0.0012},
	"w-trailmoor-journal": {"outdoors", 108, 0.0016},
	"w-hutguide":          {"outdoors", 73, 0.0005},
}

// Growth ends somewhere, so that the demo stays small in years to come.
const (
	growthFrom = day(20454) // 2026-01-01
	leastSize  = 0.6
	mostSize   = 2.0
)

// site is a tracked website.
type site struct {
	id, host string
	profile
	kind
	key    int64
	paths  []string  // by popularity
	chance []float64 // of this path or one before it
	hours  [24]float64
}

func newSite(id, host string) *site {
	p := profiles[id]
	s := &site{id: id, host: host, profile: p, kind: kinds[p.like], key: key(id)}
	s.paths = s.kind.paths()
	total := 0.0
	for i := range s.paths {
		total += 1 / math.Pow(float64(i+1), 0.9) // Zipf
		s.chance = append(s.chance, total)
	}
	for i := range s.chance {
		s.chance[i] /= total
	}
	s.hours = hours(s.peak)
	return s
}

// paths returns the pages of a website: first those that are popular.
func (k kind) paths() []string {
	list := slices.Clone(k.pages)
	for _, series := range k.series {
		directory := series[0]
		slugs := strings.Fields(series[1])
		for _, path := range append([]string{""}, slugs...) {
			path = strings.TrimSuffix(directory+"/"+path, "/")
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list
}

// path picks a path: the popular ones often, or all alike.
func (s *site) path(chance float64, popular bool) string {
	if !popular {
		return s.paths[int(chance*float64(len(s.paths)))]
	}
	return s.paths[min(sort.SearchFloat64s(s.chance, chance), len(s.paths)-1)]
}

// humans and bots are the visits of a day.
func (s *site) humans(d day) int {
	n := 0.55 * s.visits * s.size(d) * (1 + 0.08*drift(d, 1, s.key))
	if d.weekday() >= 5 {
		n *= s.weekend
	}
	// The mean over a week stays the same.
	return int(n * 7 / (5 + 2*s.weekend))
}

func (s *site) bots(d day) int {
	crawl := 1 + 0.15*drift(d, 1, s.key, 1) + 0.15*drift(d, 14, s.key, 2)
	return int(0.45 * s.visits * s.size(d) * crawl)
}

func (s *site) size(d day) float64 {
	return clamp(1+s.growth*float64(d-growthFrom), leastSize, mostSize)
}

// aiShare is the share of human visits that AI platforms refer.
func (s *site) aiShare(d day) float64 { return 0.06 + 0.02*drift(d, 21, s.key, 3) }

// hours returns the share of a day's visits up to the end of each hour.
func hours(peak int) (sums [24]float64) {
	total := 0.0
	for h := range sums {
		total += 1.15 + math.Cos(2*math.Pi*float64(h-peak)/24)
		sums[h] = total
	}
	for h := range sums {
		sums[h] /= total
	}
	return sums
}

// secondAt returns the second of the day by which a share of its visits is past.
func (s *site) secondAt(share float64) int {
	h := min(sort.SearchFloat64s(s.hours[:], share), 23)
	before := 0.0
	if h > 0 {
		before = s.hours[h-1]
	}
	within := (share - before) / (s.hours[h] - before)
	return min(int((float64(h)+within)*3600), secondsPerDay-1)
}
