package random

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// A server must take every line, so no line may be one that it could refuse.
func TestWorldsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := World(t)
		known := map[string]bool{} // ids of all kinds, to be used once
		once := func(kind string, id any) {
			key := kind + text(id)
			if known[key] {
				t.Errorf("%s %v occurs twice", kind, id)
			}
			known[key] = true
		}
		for _, team := range w.Teams {
			once("team", team.ID)
		}
		for _, p := range w.Catalog {
			once("product", p.ID)
			once("domain", p.Domain)
			checkProduct(t, w, p, once)
		}
		for _, a := range w.Answers {
			checkAnswer(t, w, a)
		}
		for _, l := range w.Pageviews {
			checkMoment(t, l.At)
			if !known["website"+text(l.WebsiteID)] {
				t.Errorf("unknown website %s", l.WebsiteID)
			}
		}
	})
}

func checkProduct(t *rapid.T, w *oracle.World, p oracle.Product, once func(string, any)) {
	domains := []string{p.Domain}
	for _, s := range p.Websites {
		once("website", s.ID)
		domains = append(domains, s.Domain)
	}
	if p.Team == "" && len(p.Prompts) > 0 {
		t.Errorf("product %d has prompts but no team", p.ID)
	}
	for _, id := range p.Competitors {
		if id == p.ID || !slices.ContainsFunc(w.Catalog, func(q oracle.Product) bool { return q.ID == id }) {
			t.Errorf("product %d competes with %d", p.ID, id)
		}
	}
	for _, q := range p.Prompts {
		once("prompt", q.ID)
		once("row", []any{p.ID, q.Domain, q.Text})
		if !slices.Contains(domains, q.Domain) || len(q.Platforms) == 0 {
			t.Errorf("prompt %+v of product %d", q, p.ID)
		}
		for _, id := range q.Labels {
			if !hasLabel(p, id) {
				t.Errorf("prompt %d has a label that product %d lacks", q.ID, p.ID)
			}
		}
	}
}

func checkAnswer(t *rapid.T, w *oracle.World, a oracle.Answer) {
	checkMoment(t, a.At)
	i := slices.IndexFunc(w.Catalog, func(p oracle.Product) bool {
		return slices.ContainsFunc(p.Prompts, func(q oracle.Prompt) bool { return q.ID == a.PromptID })
	})
	if i < 0 {
		t.Fatalf("answer %s to unknown prompt %d", a.ID, a.PromptID)
	}
	places, products := map[int64]bool{}, map[int64]bool{}
	for _, m := range a.Mentions {
		if m.ProductID != w.Catalog[i].ID && !slices.Contains(w.Catalog[i].Competitors, m.ProductID) {
			t.Errorf("answer %s mentions %d", a.ID, m.ProductID)
		}
		if m.Position < 1 || places[m.Position] || products[m.ProductID] {
			t.Errorf("answer %s has the mentions %v", a.ID, a.Mentions)
		}
		places[m.Position], products[m.ProductID] = true, true
	}
}

func checkMoment(t *rapid.T, m oracle.Moment) {
	sent, err := time.Parse(time.RFC3339Nano, m.Sent)
	if err != nil || !sent.UTC().Truncate(time.Second).Equal(m.Time) {
		t.Errorf("%s is taken for %v (%v)", m.Sent, m.Time, err)
	}
}

func TestLoadsAreJSONLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := World(t)
		if !json.Valid(w.WorkspaceJSON()) {
			t.Errorf("workspace: %s", w.WorkspaceJSON())
		}
		for kind, files := range map[string][][]byte{"answers": w.AnswerLoads(), "pageviews": w.PageviewLoads()} {
			lines := bytes.Split(bytes.TrimSuffix(bytes.Join(files, nil), []byte("\n")), []byte("\n"))
			for _, line := range lines {
				if len(files) > 0 && !json.Valid(line) {
					t.Errorf("%s: %s", kind, line)
				}
			}
			if want := map[string]int{"answers": len(w.Answers), "pageviews": len(w.Pageviews)}[kind]; len(files) > 0 && len(lines) != want {
				t.Errorf("%s: %d lines, want %d", kind, len(lines), want)
			}
		}
	})
}
