package random

import (
	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

var worlds = rapid.Custom(func(t *rapid.T) *oracle.World {
	days := period(t)
	w := &oracle.World{Teams: teams(t), Loads: 1 + upTo(t, 4)}
	w.Catalog = products(t, w.Teams)
	w.Answers = answers(t, w.Catalog, some(t, platforms, 1), days)
	w.Pageviews = pageviews(t, w.Catalog, days)
	return w
})

// World draws a workspace with its answers and pageviews. Every line of it is
// valid, so a server must load all of them.
func World(t *rapid.T) *oracle.World { return worlds.Draw(t, "world") }
