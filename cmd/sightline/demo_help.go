package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/insight"
)

// demoHelp is what the demo prints: the key, and a line to paste for each of
// the seven endpoints, over the last 30 whole days, and one for the command line.
func demoHelp(program, address, key string, now time.Time) string {
	usual := insight.Usual(now)
	window := "dateFrom=" + usual.From.Format(time.RFC3339) + "&dateTo=" + usual.To.Format(time.RFC3339)
	product := fmt.Sprintf("/v1/products/%d", demoProduct)
	prompts := "?domain=" + demoDomain + "&" + window
	var b strings.Builder
	fmt.Fprintf(&b, "\nYour API key, for the agency that manages both demo teams:\n\n  export KEY=%s\n\nTry it:\n", key)
	for _, l := range []struct{ what, path string }{
		{"the products of your teams", "/v1/products"},
		{"a product's tracked websites", product + "/websites"},
		{"visibility, position and rank, prompt by prompt", product + "/prompts" + prompts},
		{"all prompts in one line", product + "/prompts/summary" + prompts},
		{"the daily trend", product + "/prompts/dates" + prompts + "&platforms[]=openai"},
		{"who is cited", product + "/citations" + prompts + "&groupBy=property"},
		{"AI agents on the websites, day by day", product + "/analytics/timeseries?" + window +
			"&metrics[]=bot_visits&metrics[]=ai_referred_human_visits&groupBy[]=platform"},
	} {
		fmt.Fprintf(&b, "\n# %s\ncurl -gsS -H \"Authorization: Bearer $KEY\" 'http://%s%s'\n", l.what, address, l.path)
	}
	fmt.Fprintf(&b, "\n# the same as a table, for people\nSIGHTLINE_API_KEY=$KEY %s get prompts --base-url http://%s --product %d\n", program, address, demoProduct)
	fmt.Fprintf(&b, "\nThe API explained: http://%s/docs\n", address)
	return b.String()
}
