package check

import "time"

// State is how a check ended.
type State string

// The states. Only Passed and Failed looked at anything.
const (
	Passed        State = "passed"
	Failed        State = "failed"
	NotApplicable State = "not applicable" // there is nothing to look at
	NotRun        State = "not run"        // the requests were used up
)

// Outcome is one check on one product, or on the server as a whole. As JSON,
// its field names are a promise, as are those of Report.
type Outcome struct {
	Name     string  `json:"name"`
	Product  int64   `json:"product,omitempty"`
	State    State   `json:"state"`
	Promise  string  `json:"promise"`
	Where    string  `json:"where"`
	Request  string  `json:"request,omitempty"` // of a failure
	Seen     string  `json:"seen,omitempty"`    // of a failure
	Reason   string  `json:"reason,omitempty"`  // of what did not run
	Requests int     `json:"requests"`
	Seconds  float64 `json:"seconds"`
}

// Report is a run.
type Report struct {
	BaseURL  string    `json:"baseUrl"`
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Requests int       `json:"requests"`
	Products []Product `json:"products"`
	// FurtherProducts is how many products of the key were not looked at.
	FurtherProducts int `json:"furtherProducts"`

	Outcomes []Outcome `json:"outcomes"`
}

// Product is a product that was looked at, with the windows in which it has
// AI answers and visits.
type Product struct {
	ID      int64   `json:"id"`
	Domain  string  `json:"domain"`
	Answers *Period `json:"answers"`
	Visits  *Period `json:"visits"`
}

// Period is a window.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Count returns how many checks ended in a state.
func (r Report) Count(state State) (n int) {
	for _, o := range r.Outcomes {
		if o.State == state {
			n++
		}
	}
	return n
}

// OK says whether everything that ran passed, something ran, and nothing was
// left out for want of requests.
func (r Report) OK() bool {
	return r.Count(Passed) > 0 && r.Count(Failed) == 0 && r.Count(NotRun) == 0
}
