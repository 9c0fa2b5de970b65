package catalog

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParseWorkspace feeds anything to the reader: it either returns a workspace
// that keeps the catalog's promises, or mistakes that a person can read.
func FuzzParseWorkspace(f *testing.F) {
	for _, name := range []string{"workspace.yaml", "workspace.json"} {
		f.Add([]byte(readTestdata(f, name)))
	}
	for _, text := range []string{
		"", "{}", "teams:\n- &a {id: a, name: A}\n- <<: *a\n", "%YAML 1.2\n---\nteams: []\n...\n",
		"teams: [{id: !!str 1, name: |\n  x\n}]", "? teams\n: - {id: 'a', name: \"\\u00e9\\x41\"}\n",
		"products:\n- {id: 0x1, competitors: *x, prompts: [{}, ~, [], 1.5, .inf]}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := ParseWorkspace("w.yaml", data)
		if err == nil {
			keepsPromises(t, w)
			return
		}
		var ms Mistakes
		if !errors.As(err, &ms) || w != nil {
			t.Fatalf("not refused with mistakes: %v, %v", w, err)
		}
		for _, m := range ms {
			if m.Reason == "" || m.Line < 0 || strings.Contains(m.String(), "\n") {
				t.Errorf("unreadable mistake %#v", m)
			}
		}
	})
}

func keepsPromises(t *testing.T, w *Workspace) {
	products, teams := make(map[int64]bool), make(map[string]bool)
	for _, team := range w.teams {
		if team.id == "" || team.name == "" || teams[team.id] {
			t.Errorf("bad team %+v", team)
		}
		teams[team.id] = true
	}
	prompts, websites := make(map[int64]bool), make(map[string]bool)
	for _, p := range w.products {
		if p.id < 1 || p.id > maxID || products[p.id] || p.name == "" || p.domain == "" || p.website == "" {
			t.Errorf("bad product %+v", p)
		}
		if p.team.value != "" && !teams[p.team.value] {
			t.Errorf("product %d of unknown team", p.id)
		}
		products[p.id] = true
		for _, q := range p.prompts {
			if q.id < 1 || q.id > maxID || prompts[q.id] || q.text == "" || q.domain == "" {
				t.Errorf("bad prompt %+v", q)
			}
			prompts[q.id] = true
		}
		for _, s := range p.websites {
			if s.id == "" || s.domain == "" || websites[s.id] {
				t.Errorf("bad website %+v", s)
			}
			websites[s.id] = true
		}
	}
}
