package accesslog

import (
	"bytes"
	"fmt"
	"strings"
)

// w3cFormat is the extended log format of the W3C, as CloudFront and IIS write
// it. A line "#Fields: date time cs-method …" names the values of the lines
// after it.
type w3cFormat struct{}

func (w3cFormat) Name() string   { return "w3c" }
func (w3cFormat) Layout() Layout { return nil }

func (w3cFormat) Directive(line []byte) (Layout, bool, error) {
	line = trimLine(line)
	if len(line) == 0 || line[0] != '#' {
		return nil, false, nil
	}
	names, ok := bytes.CutPrefix(line, []byte("#Fields:"))
	if !ok {
		return nil, true, nil
	}
	layout, err := newW3CLayout(strings.Fields(string(names)))
	if err != nil {
		return nil, true, err
	}
	return layout, true, nil
}

// column is what a value of a line is to us.
type column int

const (
	columnOther column = iota
	columnDate
	columnTime
	columnTimestamp // in any unit of Unix time
	columnMethod
	columnStatus
	columnViewerHost // what the client asked for
	columnHost       // with CloudFront, the distribution's own name
	columnStem
	columnQuery
	columnURI // stem and query together
	columnUserAgent
	columnReferrer
	columnIP
	columnCount
)

var columnNames = map[string]column{
	"date": columnDate, "time": columnTime, "timestamp": columnTimestamp, "timestamp(ms)": columnTimestamp,
	"cs-method": columnMethod, "sc-status": columnStatus,
	"x-host-header": columnViewerHost, "cs-host": columnHost, "cs(host)": columnHost,
	"cs-uri-stem": columnStem, "cs-uri-query": columnQuery, "cs-uri": columnURI,
	"cs(user-agent)": columnUserAgent, "cs(referer)": columnReferrer, "c-ip": columnIP,
}

// w3cLayout reads lines whose values a #Fields line has named.
type w3cLayout struct {
	columns    []column
	cloudFront bool // values are percent-encoded
}

func newW3CLayout(names []string) (*w3cLayout, error) {
	l := &w3cLayout{columns: make([]column, len(names))}
	var has [columnCount]bool
	for i, name := range names {
		name = strings.ToLower(name)
		c := columnNames[name]
		if has[c] {
			c = columnOther
		}
		l.columns[i] = c
		has[c] = true
		l.cloudFront = l.cloudFront || strings.HasPrefix(name, "x-edge-") || name == "x-host-header"
	}
	if missing := missingColumns(&has); len(missing) > 0 {
		return nil, fmt.Errorf("the W3C log has no %s: add it to the logged fields "+
			"(IIS Manager: site, Logging, Select Fields; CloudFront: the log delivery's field selection)",
			strings.Join(missing, ", no "))
	}
	return l, nil
}

// missingColumns names what we cannot do without.
func missingColumns(has *[columnCount]bool) (missing []string) {
	if !has[columnTimestamp] {
		if !has[columnDate] {
			missing = append(missing, "date")
		}
		if !has[columnTime] {
			missing = append(missing, "time")
		}
	}
	if !has[columnMethod] {
		missing = append(missing, "cs-method")
	}
	if !has[columnStem] && !has[columnURI] {
		missing = append(missing, "cs-uri-stem")
	}
	if !has[columnStatus] {
		missing = append(missing, "sc-status")
	}
	if !has[columnUserAgent] {
		missing = append(missing, "cs(User-Agent)")
	}
	return missing
}
