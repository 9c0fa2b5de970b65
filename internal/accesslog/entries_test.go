package accesslog

import (
	"slices"
	"strings"
	"testing"
)

func TestEntriesOfALine(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       []string
	}{
		{"a line is its own entry", `192.0.2.1 - - [x] "GET`, []string{`192.0.2.1 - - [x] "GET`}},
		{"an empty line too", ``, []string{``}},
		{"an IPv6 server is no list", `[::1]:80 192.0.2.1 - -`, []string{`[::1]:80 192.0.2.1 - -`}},
		{"a combined line keeps its comma", `192.0.2.1,`, []string{`192.0.2.1,`}},
		{"object", `{"a":1}`, []string{`{"a":1}`}},
		{"list", `[{"a":1},{"b":[2,{"c":"]},{"}]} , {}]`, []string{`{"a":1}`, `{"b":[2,{"c":"]},{"}]}`, `{}`}},
		{"empty list", `[]`, nil},
		{"first line of a list", `[`, nil},
		{"object in a list over lines", ` {"a":1},` + "\r", []string{`{"a":1}`}},
		{"last line of a list", `]`, nil},
		{"list that goes on", `[{"a":1},`, []string{`{"a":1}`}},
		{"list that is cut", `[{"a":1}`, []string{`{"a":1}`}},
		{"nginx's escapes", `[{"a":"\x41"},{}]`, []string{`{"a":"\x41"}`, `{}`}},
		{"broken element", `[{"a":1},{"b":nope},{"c":1}]`, []string{`{"a":1}`, `{"b":nope},{"c":1}]`}},
		{"broken list", `[{"a":1} {"b":1}]`, []string{`{"a":1}`, `{"b":1}]`}},
		{"text after a list", `[{"a":1}] x`, []string{`{"a":1}`, `] x`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for entry := range Entries([]byte(c.line)) {
				got = append(got, string(entry))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s\nhas %q, want %q", c.line, got, c.want)
			}
		})
	}
}

func TestEntriesStopWhenAsked(t *testing.T) {
	n := 0
	for range Entries([]byte(`[{"a":1},{"a":2},{"a":3}]`)) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d entries were seen", n)
	}
}

func TestEntriesOfPlainLinesCostNothing(t *testing.T) {
	line := []byte(strings.Repeat("x", 200))
	total := 0
	if n := testing.AllocsPerRun(100, func() {
		for entry := range Entries(line) {
			total += len(entry)
		}
	}); n > 0 || total == 0 {
		t.Errorf("%.0f allocations", n)
	}
}
