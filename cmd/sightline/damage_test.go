package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

func TestADamageIsLoggedOnce(t *testing.T) {
	var text bytes.Buffer
	d := &damageLog{log: slog.New(slog.NewTextHandler(&text, nil))}
	open := facts.Damage{File: "c", What: "c is missing", Open: true}
	shut := facts.Damage{File: "c", What: "c is missing"}
	a, b := facts.Damage{File: "a", What: "a has 0 bytes"}, facts.Damage{File: "b", What: "b is damaged"}
	for _, c := range []struct {
		name    string
		damaged []facts.Damage
		lines   int
		says    string
	}{
		{"the first", []facts.Damage{a}, 1, "reports that need it fail"},
		{"in other words", []facts.Damage{{File: "a", What: "a is not what was published"}}, 0, ""},
		{"another one", []facts.Damage{a, b}, 1, "b is damaged"},
		{"one is missing, but open", []facts.Damage{b, open}, 1, `msg="a file of facts is missing" error="c is missing"`},
		{"it cannot be opened again", []facts.Damage{b, shut}, 1, "reports that need it fail"},
		{"the first is back", []facts.Damage{a, b, shut}, 1, "a has 0 bytes"},
		{"all is well", nil, 1, "all files of facts are whole again"},
		{"and damaged anew", []facts.Damage{a}, 1, "a has 0 bytes"},
	} {
		text.Reset()
		d.tell(c.damaged)
		if got := text.String(); strings.Count(got, "\n") != c.lines || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
