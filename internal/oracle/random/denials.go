package random

import (
	"strconv"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// denial is a reason for the 401: a key that opens nothing, or a product that
// the key does not open.
type denial struct {
	name    string
	team    string // whose key is sent
	key     string // what is sent without a team; empty for no key
	spoiled bool   // the team's key with its last character changed
	product string
}

// badKeys deny any question.
func badKeys(t *rapid.T, q question) []denial {
	id := strconv.FormatInt(q.product.ID, 10)
	return []denial{
		{name: "no key", product: id},
		{name: "junk key", key: pick(t, []string{"junk", "sl_", "null", "Bearer"}), product: id},
		{name: "junk key", key: "sl_0123456789abcdefghijABCDEFGHIJ01AAAAAA", product: id},
		{name: "spoiled key", team: q.team, spoiled: true, product: id},
	}
}

// badProducts deny a question about a product.
func badProducts(t *rapid.T, w *oracle.World, q question) []denial {
	id := strconv.FormatInt(q.product.ID, 10)
	malformed := pick(t, []string{
		"0" + id, "+" + id, "-" + id, id + ".0", id + "%20", "%20" + id, id + "x", "abc", "-1", "0", "1e2", "0x65",
		"99999999999999999999", "%D9%A1",
	})
	list := []denial{
		{name: "malformed product", team: q.team, product: malformed},
		{name: "unknown product", team: q.team, product: "424242"},
	}
	closed := map[string][]denial{} // by reason, so that rare reasons are not drowned
	for _, team := range w.Teams {
		for _, p := range w.Catalog {
			if _, status := w.Websites(team.ID, p.ID); status != 200 {
				why := whyClosed(w, team.ID, p)
				closed[why] = append(closed[why], denial{name: why, team: team.ID, product: strconv.FormatInt(p.ID, 10)})
			}
		}
	}
	if len(closed) > 0 && percent(t, 70) {
		return closed[pick(t, sortedKeys(closed))]
	}
	return list
}

// whyClosed names the reason that a team's key does not open a product.
func whyClosed(w *oracle.World, teamID string, p oracle.Product) string {
	if p.Team == "" {
		return "competitor-only product"
	}
	manages := map[string][]string{}
	for _, team := range w.Teams {
		manages[team.ID] = team.Manages
	}
	for _, managed := range manages[teamID] {
		for _, further := range manages[managed] {
			if further == p.Team {
				return "managed team of a managed team"
			}
		}
	}
	return "foreign team's product"
}
