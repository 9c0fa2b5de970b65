package check_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/check"
)

var example = check.Report{
	BaseURL: "http://reports.example", Started: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Seconds: 1.25, Requests: 17,
	Products: []check.Product{
		{ID: 101, Visits: &check.Period{From: time.Date(2026, 2, 16, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 1, 23, 59, 59, 0, time.UTC)}},
		{ID: 102},
	},
	FurtherProducts: 3,
	Outcomes: []check.Outcome{
		{Name: "auth/missing-key", State: check.Passed, Promise: "P.", Where: "Authentication 4", Requests: 7, Seconds: 0.5},
		{Name: "paging/large", Product: 101, State: check.Passed, Promise: "P.", Where: "S22"},
		{
			Name: "paging/large", Product: 102, State: check.Failed, Promise: "perPage has no maximum.", Where: "S22",
			Request: "GET /v1/x?a=1&b=2", Seen: `perPage is <100>`,
		},
		{Name: "prompts/order", Product: 101, State: check.NotApplicable, Promise: "P.", Where: "S12", Reason: "no AI answers in the window"},
		{Name: "prompts/order", Product: 102, State: check.Passed, Promise: "P.", Where: "S12"},
		{Name: "dates/order", Product: 101, State: check.NotRun, Promise: "P.", Where: "S12", Reason: "used up"},
		{Name: "dates/order", Product: 102, State: check.NotApplicable, Promise: "P.", Where: "S12", Reason: "no AI answers in the window"},
	},
}

func TestTheTableHasALineForEachCheck(t *testing.T) {
	var out bytes.Buffer
	if err := example.WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	want := `CHECK             RESULT   PROMISED IN       NOTE
auth/missing-key  passed   Authentication 4
paging/large      failed   S22               product 102: see below
prompts/order     passed   S12               product 101: no AI answers in the window
dates/order       not run  S12               product 101: used up; product 102: no AI answers in the window

FAILED paging/large (product 102)
  promise  perPage has no maximum. (S22)
  asked    GET /v1/x?a=1&b=2
  seen     perPage is <100>

Product 101: AI answers none, visits 2026-02-16 to 2026-03-01.
Product 102: AI answers none, visits none.
Products that were not looked at: 3. Name those you want with --product.
3 passed, 1 failed, 2 not applicable, 1 not run; 17 requests in 1.2 s.
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestTheJSONHasEverything(t *testing.T) {
	var out bytes.Buffer
	if err := example.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var back check.Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Outcomes) != len(example.Outcomes) || back.Outcomes[2] != example.Outcomes[2] || back.Requests != 17 {
		t.Errorf("got %+v", back)
	}
	for _, want := range []string{`"state": "not applicable"`, `"answers": null`, `"seen": "perPage is <100>"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in\n%s", want, out.String())
		}
	}
}

func TestJUnitCountsFailuresErrorsAndSkipped(t *testing.T) {
	var out bytes.Buffer
	if err := example.WriteJUnit(&out); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Class   string `xml:"classname,attr"`
				Name    string `xml:"name,attr"`
				Failure string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	s := back.Suite
	if s.Tests != 7 || s.Failures != 1 || s.Errors != 1 || s.Skipped != 2 || len(s.Cases) != 7 {
		t.Errorf("got %+v", s)
	}
	if c := s.Cases[2]; c.Class != "paging" || c.Name != "paging/large (product 102)" || !strings.Contains(c.Failure, "seen: perPage is <100>") {
		t.Errorf("got %+v", c)
	}
}
