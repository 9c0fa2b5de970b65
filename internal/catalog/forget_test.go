package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/postgres"
)

const twoCustomers = `
teams: [{id: stays, name: Stays}, {id: leaver, name: Leaver}, {id: agency, name: Agency, manages: [leaver, stays]}]
products:
  - {id: 1, team: stays, name: One, website: "https://one.example", domain: one.example, competitors: [2],
     websites: [{websiteId: w1, domain: one.example}], labels: [{id: 1, name: a}], prompts: [{id: 11, text: best one, labels: [1], platforms: [openai]}]}
  - {id: 2, team: leaver, name: Leavingly, names: [Leavy], website: "https://leaver.example", domain: leaver.example, competitors: [1],
     websites: [{websiteId: w-leaver, domain: leaver.example}], labels: [{id: 1, name: secretlabel}],
     prompts: [{id: 21, text: secretprompt, labels: [1], platforms: [openai]}]}
`

const oneCustomer = `
teams: [{id: stays, name: Stays}, {id: agency, name: Agency, manages: [stays]}]
products:
  - {id: 1, team: stays, name: One, website: "https://one.example", domain: one.example,
     websites: [{websiteId: w1, domain: one.example}], labels: [{id: 1, name: a}], prompts: [{id: 11, text: best one, labels: [1], platforms: [openai]}]}
`

func TestBelongingsAreFoundRetiredOrNot(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		for _, c := range []struct{ workspace, team, product, website string }{
			{twoCustomers, "{leaver [2] [w-leaver] [21] 1 [team leaver product 2 website w-leaver]}",
				"{ [2] [w-leaver] [21] 0 [product 2 website w-leaver]}", "{ [] [w-leaver] [] 0 [website w-leaver]}"},
			{oneCustomer, "{leaver [2] [w-leaver] [21] 1 []}", "{ [2] [w-leaver] [21] 0 []}", "{ [] [w-leaver] [] 0 []}"},
		} {
			applyText(t, s, c.workspace)
			if c.workspace == twoCustomers {
				createKey(t, s, "leaver", "")
			}
			show := func(b Belongings, err error) string {
				if err != nil {
					t.Fatal(err)
				}
				return fmt.Sprint("{", b.Team, " ", b.Products, " ", b.Websites, " ", b.Prompts, " ", len(b.Keys), " ", b.Active, "}")
			}
			for got, want := range map[string]string{
				show(s.OfTeam(t.Context(), "leaver")): c.team, show(s.OfProduct(t.Context(), 2)): c.product, show(s.OfWebsite(t.Context(), "w-leaver")): c.website,
			} {
				if got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		}
		for _, of := range []func() (Belongings, error){
			func() (Belongings, error) { return s.OfTeam(t.Context(), "nobody") },
			func() (Belongings, error) { return s.OfProduct(t.Context(), 999) },
			func() (Belongings, error) { return s.OfWebsite(t.Context(), "nowhere") },
		} {
			if b, err := of(); err != nil || !b.Nothing() {
				t.Errorf("%+v, %v", b, err)
			}
		}
	})
}

func TestAForgottenTeamIsGoneFromTheCatalog(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		s := open(t, place)
		applyText(t, s, twoCustomers)
		_, kept := createKey(t, s, "stays", "")
		_, gone := createKey(t, s, "leaver", "")
		b, err := s.OfTeam(t.Context(), "leaver")
		if err != nil {
			t.Fatal(err)
		}
		expectError(t, s.Forget(t.Context(), b), "team leaver is in the workspace: take it out of the file and apply that first")
		applyText(t, s, oneCustomer)
		version := snapshot(t, s).Version()
		if err := s.Forget(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if snapshot(t, s).Version() != version+1 || !works(t, s, kept) || works(t, s, gone) {
			t.Error("not exactly the keys of others work, in the next version")
		}
		for table, rows := range dump(t, s) {
			for _, row := range rows {
				if table != "key_log" && (strings.Contains(row, "leaver") || strings.Contains(row, "secret") || strings.Contains(row, "Leav")) {
					t.Errorf("%s still has %s", table, row)
				}
			}
		}
		events, err := s.KeyLog(t.Context())
		if err != nil || !slices.ContainsFunc(events, func(e KeyEvent) bool {
			return e.TeamID == "leaver" && e.Action == KeyRevoked && e.Detail == "with its team"
		}) {
			t.Errorf("the log is %+v, %v", events, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if !postgres.IsURL(place) {
			for _, text := range []string{"secretprompt", "secretlabel", "Leavingly", "w-leaver"} {
				if strings.Contains(string(readAll(t, place)), text) {
					t.Errorf("the file still has the bytes of %q", text)
				}
			}
		}
		applyText(t, open(t, place), twoCustomers) // its ids are free again
	})
}
