package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

type junitSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Time    string     `xml:"time,attr"`
	Failure *junitText `xml:"failure"`
	Error   *junitText `xml:"error"`
	Skipped *junitText `xml:"skipped"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a report for CI. What is not applicable is skipped; what was
// not run is an error.
func (r Report) WriteJUnit(w io.Writer) error {
	s := junitSuite{
		Name: "sightline check", Tests: len(r.Outcomes), Failures: r.Count(Failed), Errors: r.Count(NotRun),
		Skipped: r.Count(NotApplicable), Time: seconds(r.Seconds), Timestamp: r.Started.Format(time.RFC3339),
	}
	for _, o := range r.Outcomes {
		group, _, _ := strings.Cut(o.Name, "/")
		c := junitCase{Class: group, Name: o.title(), Time: seconds(o.Seconds)}
		switch o.State {
		case Failed:
			c.Failure = &junitText{o.Seen, fmt.Sprintf("promise: %s (%s)\nasked: %s\nseen: %s", o.Promise, o.Where, o.Request, o.Seen)}
		case NotRun:
			c.Error = &junitText{Message: o.Reason}
		case NotApplicable:
			c.Skipped = &junitText{Message: o.Reason}
		}
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
