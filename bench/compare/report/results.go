// Package report keeps what was measured, and writes it down: a table, a list of
// what was promised and whether it held, and a chart.
package report

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/rate"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

// Sightline is the name under which our own times are kept, and OnClickHouse
// that of Sightline with its facts in the server whose engine is ClickHouse.
const (
	Sightline    = "sightline"
	OnClickHouse = "sightline-clickhouse"
	ClickHouse   = "clickhouse"
)

// Results is everything that was measured. Times are milliseconds.
type Results struct {
	When      string
	Machine   Machine
	Size      data.Size
	Engines   []Engine
	Without   []string // engines that were left out
	Making    float64  // seconds that making the data took
	Loads     map[string]*Load
	Copy      *Copy // nil: no facts were copied to ClickHouse
	Questions []*Question
	Memory    string           // serve's flag
	Peaks     map[string]int64 // of the server's memory, by stage, in bytes
	Web       []Web
	Paced     []Paced
	Tenants   []Tenant
	Days      []Days
	Weeks     []Weeks
}

// Machine is where it was measured.
type Machine struct {
	CPU    string
	Cores  int
	Memory int64 // bytes
	System string
	Go     string
}

// Engine is one that was asked.
type Engine struct {
	Name, Title, Version string
	Bytes                int64 // on disk
	Seconds              float64
}

// Load is what Sightline's load of a kind took.
type Load struct {
	sightline.Loaded
	Sizes sightline.Sizes
	// Counted and Uncounted are seconds of loads of a part of the data, with and
	// without the tables that are made to answer faster.
	Counted, Uncounted []float64
}

// Copy is what copying the facts to ClickHouse took.
type Copy struct {
	Seconds float64
	Bytes   int64 // on disk
}

// Question is how long each engine took to answer it, again and again.
type Question struct {
	Number  int
	Title   string
	Traffic bool // it is about visits
	AtLeast float64
	Bytes   int // of the answer
	Times   map[string][]float64
	Own     []float64 // Sightline's, without HTTP, authentication and JSON
	Wire    []float64 // what sending as many bytes takes, without making them
}

// Web is what wrk measured.
type Web struct {
	What          string
	PerSecond     float64
	P50, P99      float64
	AtLeast       float64 // a second; 0: nothing is promised
	Seconds, Conn int
}

// Paced is a fixed rate of requests.
type Paced struct {
	What string
	rate.Outcome
}

// Tenant is a question with and without ten times the data of others.
type Tenant struct {
	Title     string
	Base, Ten float64
}

// Days is a question about more and more days.
type Days struct {
	Title string
	Days  []int
	Times []float64
}

// Weeks is a data directory with a number of weeks.
type Weeks struct {
	Weeks, Files int
	Start        float64 // from the start of the process to the first answer
	Month        float64 // a question about 30 days
	All          float64 // the same about everything
	Peak         int64   // bytes
}

// Read reads what an earlier run has measured; there may be nothing.
func Read(path string) (*Results, error) {
	r := &Results{Loads: make(map[string]*Load), Peaks: make(map[string]int64)}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	return r, json.Unmarshal(text, r)
}

// Save keeps what was measured.
func (r *Results) Save(path string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// Put adds an engine, or replaces what was known of it.
func (r *Results) Put(e Engine) {
	r.Engines = slices.DeleteFunc(r.Engines, func(old Engine) bool { return old.Name == e.Name })
	r.Engines = append(r.Engines, e)
}

// Keep forgets the engines that are not wanted any more.
func (r *Results) Keep(wanted func(name string) bool) {
	r.Engines = slices.DeleteFunc(r.Engines, func(e Engine) bool { return !wanted(e.Name) })
	if !wanted(OnClickHouse) {
		r.Copy = nil
	}
	for _, q := range r.Questions {
		maps.DeleteFunc(q.Times, func(name string, _ []float64) bool { return !wanted(name) })
	}
}

// PutQuestion adds a question, or replaces what was known of it.
func (r *Results) PutQuestion(q *Question) {
	r.Questions = slices.DeleteFunc(r.Questions, func(old *Question) bool { return old.Number == q.Number })
	r.Questions = append(r.Questions, q)
	slices.SortFunc(r.Questions, func(a, b *Question) int { return a.Number - b.Number })
}

// Median is the middle one.
func Median(times []float64) float64 {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// best is the fastest of the other engines.
func (q *Question) best() (name string, ms float64) {
	for n, times := range q.Times {
		if m := Median(times); n != Sightline && n != OnClickHouse && (name == "" || m < ms) {
			name, ms = n, m
		}
	}
	return name, ms
}

// ratio is how often faster Sightline is than the best of the others.
func (q *Question) ratio() float64 {
	_, best := q.best()
	if own := Median(q.Times[Sightline]); own > 0 {
		return best / own
	}
	return 0
}

// onClickHouse is how often faster Sightline is on a ClickHouse server than SQL
// on plain tables there; 0: it was not asked.
func (q *Question) onClickHouse() float64 {
	if own := Median(q.Times[OnClickHouse]); own > 0 {
		return Median(q.Times[ClickHouse]) / own
	}
	return 0
}

// Best is the median of the fastest of the other engines.
func (q *Question) Best() float64 {
	_, ms := q.best()
	return ms
}
