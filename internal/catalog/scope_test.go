package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScopeMatrix writes every key × every product as a table. Holding manages
// agency, agency manages acme: one level, so holding does not reach acme.
func TestScopeMatrix(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		text := readTestdata(t, "workspace.yaml") + `
  - {id: 301, team: holding, name: Own, website: "https://own.example", domain: own.example}
  - {id: 302, team: lonely, name: Alone, website: "https://alone.example", domain: alone.example}
`
		applyText(t, s, strings.Replace(text, "products:", "  - {id: lonely, name: Lonely}\n  - {id: idle, name: Idle}\nproducts:", 1))
		keys := make(map[string]string)
		teams := []string{"acme", "agency", "holding", "lonely", "idle"}
		for _, team := range teams {
			_, key, err := s.CreateKey(t.Context(), team, "")
			if err != nil {
				t.Fatal(err)
			}
			keys[team] = key
		}
		snap := snapshot(t, s)
		var b strings.Builder
		b.WriteString("team")
		for _, p := range snap.Products() {
			fmt.Fprintf(&b, " %d", p.ID)
		}
		for _, team := range teams {
			scope, ok := snap.Authenticate(keys[team])
			if !ok || scope.TeamID() != team {
				t.Fatalf("the key of %s gives the scope of %q", team, scope.TeamID())
			}
			b.WriteString("\n" + team + row(t, snap, scope))
		}
		want := `team 101 201 202 301 302
acme yes no no no no
agency yes no yes no no
holding no no yes yes no
lonely no no no no yes
idle no no no no no`
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Error(d)
		}
	})
}

// row asks a scope for every product in both ways, which must agree.
func row(t *testing.T, snap *Snapshot, scope Scope) (line string) {
	listed := make(map[int64]bool)
	var last int64
	for _, p := range scope.Products() {
		listed[p.Product().ID] = true
		if p.Product().ID <= last {
			t.Errorf("product %d is out of order", p.Product().ID)
		}
		last = p.Product().ID
	}
	for _, p := range snap.Products() {
		primary, ok := scope.Product(p.ID)
		if ok != listed[p.ID] || ok != (primary.Product() == p) {
			t.Errorf("product %d: list and lookup disagree", p.ID)
		}
		line += map[bool]string{true: " yes", false: " no"}[ok]
	}
	if _, ok := scope.Product(999); ok {
		t.Error("a product that does not exist is in scope")
	}
	return line
}

func TestTheZeroScopeSeesNothing(t *testing.T) {
	var s Scope
	if _, ok := s.Product(101); ok || s.Products() != nil || s.TeamID() != "" {
		t.Error("the zero scope sees something")
	}
	if (Primary{}).Product() != nil {
		t.Error("the zero primary has a product")
	}
}
