package catalog

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestApplyTwiceChangesNothing(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		text := readTestdata(t, "workspace.yaml")
		want := Changes{
			Teams: Change{Added: 3}, Products: Change{Added: 3}, Websites: Change{Added: 3},
			Labels: Change{Added: 3}, Prompts: Change{Added: 4},
		}
		if d := cmp.Diff(want, applyText(t, s, text)); d != "" {
			t.Error(d)
		}
		before := snapshot(t, s)
		want = Changes{
			Teams: Change{Unchanged: 3}, Products: Change{Unchanged: 3}, Websites: Change{Unchanged: 3},
			Labels: Change{Unchanged: 3}, Prompts: Change{Unchanged: 4},
		}
		for _, again := range []string{text, readTestdata(t, "workspace.json")} {
			changes := applyText(t, s, again)
			if d := cmp.Diff(want, changes); d != "" || changes.Any() {
				t.Error(d)
			}
		}
		if got := snapshot(t, s).Version(); got != before.Version() || got != 1 {
			t.Errorf("version went from %d to %d", before.Version(), got)
		}
	})
}

func TestSnapshotIsWhatWasApplied(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, readTestdata(t, "workspace.yaml"))
		snap := snapshot(t, s)
		var b strings.Builder
		for _, p := range snap.Products() {
			describe(&b, p)
		}
		want := `101 acme "Acme Rocket" [Acme, Acme Rockets] https://www.acme.com acme.com
  competitors 201 202; compared 101 201 202
  website w-acme acme.com partner=false tracked=true
  website w-old old.acme.com partner=false tracked=false
  website w-shop shop.example partner=true tracked=true
  label 1 brand
  label 2 schools
  prompt 11 "best rocket for schools" old.acme.com [openai, perplexity] labels 1
  prompt 13 "best rocket for schools" shop.example [] labels
  prompt 12 "what is acme rocket" acme.com [] labels 1 2
201  "Zoom Rockets" [] https://zoomrockets.example zoomrockets.example
  competitors; compared 201
202 agency "Agency Rocket" [] https://agency.example agency.example
  competitors 101; compared 101 202
  label 1 other
  prompt 21 "rockets" agency.example [] labels 1
`
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Error(d)
		}
		if got, want := snap.Counts(), (Counts{Teams: 3, Products: 3, Websites: 3, Prompts: 4, Labels: 3}); got != want {
			t.Errorf("counts %+v", got)
		}
		for _, p := range snap.Products() {
			for _, q := range p.Prompts {
				if found, ok := snap.Prompt(q.ID); !ok || found != q || q.Product != p {
					t.Errorf("prompt %d is not linked to its product", q.ID)
				}
			}
			for _, w := range p.Websites {
				if found, ok := snap.Website(w.ID); !ok || found != w || w.Product != p {
					t.Errorf("website %s is not linked to its product", w.ID)
				}
			}
		}
	})
}

// Steps of one workspace's life: each is applied onto the one before.
func TestChangesAreCountedAndSeen(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		base := `
teams: [{id: a, name: A}, {id: b, name: B}]
products:
  - {id: 1, team: a, name: P, website: "https://p.example", domain: p.example, competitors: [2],
     websites: [{websiteId: w, domain: p.example}], labels: [{id: 1, name: l}, {id: 2, name: m}],
     prompts: [{id: 1, text: t, platforms: [openai], labels: [1]}]}
  - {id: 2, name: Q, website: "https://q.example", domain: q.example}
`
		s := open(t, fresh(t))
		applyText(t, s, base)
		for _, step := range []struct {
			name, from, to string
			want           Changes
		}{
			{"team renamed", "name: A}", "name: AA}", Changes{Teams: Change{Changed: 1}}},
			{"team manages", "name: AA}", "name: AA, manages: [b]}", Changes{Teams: Change{Changed: 1}}},
			{"product renamed", "name: Q,", "name: QQ,", Changes{Products: Change{Changed: 1}}},
			{"further name", "name: QQ,", "name: QQ, names: [Q],", Changes{Products: Change{Changed: 1}}},
			{"names in another order", "names: [Q],", "names: [R, Q],", Changes{Products: Change{Changed: 1}}},
			{"team of a product", "id: 1, team: a", "id: 1, team: b", Changes{Products: Change{Changed: 1}}},
			{"product without a team", "id: 1, team: b", "id: 1", Changes{Products: Change{Changed: 1}}},
			{"competitor dropped", "competitors: [2],", "", Changes{Products: Change{Changed: 1}}},
			{"partner website", "websiteId: w,", "websiteId: w, partner: true,", Changes{Websites: Change{Changed: 1}}},
			{"untracked website", "partner: true,", "partner: true, tracked: false,", Changes{Websites: Change{Changed: 1}}},
			{"label renamed", "name: l}", "name: ll}", Changes{Labels: Change{Changed: 1}}},
			{"platform added", "[openai]", "[openai, claude]", Changes{Prompts: Change{Changed: 1}}},
			{"platforms in another order", "[openai, claude]", "[claude, openai]", Changes{}},
			{"label of a prompt", "labels: [1]", "labels: [1, 2]", Changes{Prompts: Change{Changed: 1}}},
			{"domain of a prompt", "text: t,", "text: t, domain: q.example,", Changes{Prompts: Change{Changed: 1}}},
			{"text of a prompt", "text: t,", "text: u,", Changes{Prompts: Change{Changed: 1}}},
		} {
			t.Run(step.name, func(t *testing.T) {
				if !strings.Contains(base, step.from) {
					t.Fatalf("the step before left no %q", step.from)
				}
				base = strings.Replace(base, step.from, step.to, 1)
				before := snapshot(t, s).Version()
				got := applyText(t, s, base)
				for _, c := range []*Change{&got.Teams, &got.Products, &got.Websites, &got.Labels, &got.Prompts} {
					c.Unchanged = 0
				}
				if d := cmp.Diff(step.want, got); d != "" {
					t.Error(d)
				}
				if moved := snapshot(t, s).Version() - before; (moved == 1) != step.want.Any() || moved > 1 {
					t.Errorf("the version moved by %d", moved)
				}
				if again := applyText(t, s, base); again.Any() {
					t.Errorf("applied again: %+v", again)
				}
			})
		}
	})
}

func TestRetireAndBringBack(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		full := readTestdata(t, "workspace.yaml")
		applyText(t, s, full)
		_, key, err := s.CreateKey(t.Context(), "acme", "")
		if err != nil {
			t.Fatal(err)
		}
		before := snapshot(t, s)

		changes := applyText(t, s, "teams: [{id: agency, name: Agency}]\nproducts: []\n")
		want := Changes{
			Teams: Change{Changed: 1, Retired: 2}, Products: Change{Retired: 3}, Websites: Change{Retired: 3},
			Labels: Change{Retired: 3}, Prompts: Change{Retired: 4},
			Retired: []string{"team acme", "team holding", "product 101", "product 201", "product 202", "website w-acme", "website w-old",
				"website w-shop", "label 1 of product 101", "label 1 of product 202", "label 2 of product 101", "prompt 11", "prompt 12",
				"prompt 13", "prompt 21"},
		}
		if d := cmp.Diff(want, changes); d != "" {
			t.Error(d)
		}
		gone := snapshot(t, s)
		if gone.Counts() != (Counts{Teams: 1}) {
			t.Errorf("left: %+v", gone.Counts())
		}
		if _, ok := gone.Authenticate(key); ok {
			t.Error("the key of a retired team still works")
		}
		if _, ok := gone.Prompt(11); ok {
			t.Error("a retired prompt is still there")
		}
		if _, ok := gone.Website("w-acme"); ok {
			t.Error("a retired website is still there")
		}
		if _, ok := before.Prompt(11); !ok {
			t.Error("the older snapshot changed")
		}

		if got := applyText(t, s, full); got.Products.Added != 3 || got.Prompts.Added != 4 || got.Teams.Added != 2 {
			t.Errorf("brought back %+v", got)
		}
		back := snapshot(t, s)
		if back.Counts() != before.Counts() || back.Version() != before.Version()+2 {
			t.Errorf("back: %+v at version %d", back.Counts(), back.Version())
		}
		if _, ok := back.Authenticate(key); !ok {
			t.Error("the key of the team that came back does not work")
		}
	})
}

func TestIDsDoNotMoveWithTheirHistory(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		const teams = "teams: [{id: a, name: A}, {id: b, name: B}]\n"
		first := teams + `products:
- {id: 1, team: a, name: P, website: "https://p.example", domain: p.example,
   websites: [{websiteId: w, domain: p.example}], prompts: [{id: 11, text: t}]}
- {id: 2, team: a, name: P, website: "https://p.example", domain: p.example}
- {id: 3, team: b, name: P, website: "https://p.example", domain: p.example}
- {id: 4, name: P, website: "https://p.example", domain: p.example, websites: [{websiteId: x, domain: p.example}]}
- {id: 5, name: P, website: "https://p.example", domain: p.example}
`
		without := strings.NewReplacer("websites: [{websiteId: w, domain: p.example}], ", "", "prompts: [{id: 11, text: t}]", "", ", websites: [{websiteId: x, domain: p.example}]", "").Replace(first)
		give := func(product, fields string) string {
			return strings.Replace(without, "{id: "+product+",", "{id: "+product+", "+fields+",", 1)
		}
		const site, other, question = "websites: [{websiteId: w, domain: p.example}]", "websites: [{websiteId: x, domain: p.example}]", "prompts: [{id: 11, text: t}]"
		for _, c := range []struct{ name, text, want string }{
			{"prompt to a product of the team", give("2", question), "workspace.yaml:5: products[1].prompts[0].id: prompt 11 belonged to product 1: its answers would move along; give it a new id"},
			{"website to a product of the team", give("2", site), ""},
			{"website to another team", give("3", site), "workspace.yaml:6: products[2].websites[0].websiteId: website w belonged to product 1 of team a: its visits would move along; give it a new id"},
			{"website to a product without a team", give("5", site), "workspace.yaml:8: products[4].websites[0].websiteId: website w belonged to product 1 of team a: its visits would move along; give it a new id"},
			{"website between products without a team", give("5", other), "workspace.yaml:8: products[4].websites[0].websiteId: website x belonged to product 4 of no team: its visits would move along; give it a new id"},
			{"both at once", give("3", site+", "+question), "workspace.yaml:6: products[2].prompts[0].id: prompt 11 belonged to product 1: *\nworkspace.yaml:6: products[2].websites[0].websiteId: website w belonged to *"},
		} {
			for _, retired := range []bool{false, true} {
				name := c.name
				if retired {
					name += ", retired before"
				}
				t.Run(name, func(t *testing.T) {
					s := open(t, fresh(t))
					applyText(t, s, first)
					if retired {
						applyText(t, s, without)
					}
					before := snapshot(t, s).Version()
					_, err := s.Apply(t.Context(), parse(t, c.text))
					if c.want == "" {
						if err != nil {
							t.Error(err)
						}
						if w, ok := snapshot(t, s).Website("w"); !ok || w.Product.ID != 2 {
							t.Error("the website did not move")
						}
						return
					}
					expectError(t, err, c.want)
					if ms := (Mistakes{}); !errors.As(err, &ms) {
						t.Errorf("not refused with mistakes but with %T", err)
					}
					if got := snapshot(t, s).Version(); got != before {
						t.Errorf("refused, but the version moved from %d to %d", before, got)
					}
				})
			}
		}
	})
}
