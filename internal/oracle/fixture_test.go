package oracle

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// small is a workspace to reckon with by hand. Acme (101) competes with Zoom
// (201) and Orbit (301); 401 is another team's and no competitor.
func small() *World {
	return &World{
		Teams: []Team{
			{ID: "acme", Name: "Acme"},
			{ID: "agency", Name: "Agency", Manages: []string{"acme"}},
			{ID: "holding", Name: "Holding", Manages: []string{"agency"}},
		},
		Catalog: []Product{
			{ID: 401, Team: "agency", Name: "Stranger", Website: "https://stranger.example", Domain: "stranger.example"},
			{
				ID: 101, Team: "acme", Name: "Acme Rocket", Website: "https://www.acme.com", Domain: "acme.com",
				Competitors: []int64{201, 301},
				Websites: []Website{
					{ID: "w-shop", Domain: "shop.example", Partner: true},
					{ID: "w-acme", Domain: "acme.com"},
					{ID: "w-old", Domain: "old.acme.com", Untracked: true},
					{ID: "w-Gone", Domain: "gone.example", Partner: true, Untracked: true},
				},
				Labels: []Label{{2, "price"}, {1, "brand"}},
				Prompts: []Prompt{
					{ID: 11, Text: "best rocket", Domain: "acme.com", Platforms: []string{"openai", "claude"}, Labels: []int64{2, 1}},
					{ID: 12, Text: "Cheap rocket", Domain: "acme.com", Platforms: []string{"openai"}, Labels: []int64{2}},
					{ID: 13, Text: "best rocket", Domain: "shop.example", Platforms: []string{"openai"}},
				},
			},
			{ID: 201, Name: "Zoom Rockets", Website: "https://zoom.example", Domain: "zoom.example"},
			{ID: 301, Team: "agency", Name: "Orbit", Website: "https://orbit.io", Domain: "orbit.io"},
		},
	}
}

// at reads a time as a sender writes it; S1 cuts the fraction.
func at(sent string) Moment {
	t, err := time.Parse(time.RFC3339Nano, sent)
	if err != nil {
		panic(err)
	}
	return Moment{Sent: sent, Time: t.UTC().Truncate(time.Second)}
}

// run is an answer that names the products in this order.
func run(id string, prompt int64, platform, sent string, products ...int64) Answer {
	a := Answer{ID: id, PromptID: prompt, Platform: platform, At: at(sent)}
	for i, p := range products {
		a.Mentions = append(a.Mentions, Mention{p, int64(i + 1)})
	}
	return a
}

func window(from, to string) api.Window {
	f, err1 := time.Parse(time.RFC3339Nano, from)
	l, err2 := time.Parse(time.RFC3339Nano, to)
	if err1 != nil || err2 != nil {
		panic("no window: " + from + " " + to)
	}
	return api.Window{From: f, To: l}
}

var march = window("2026-03-01T00:00:00Z", "2026-03-31T23:59:59Z")

// acme asks for the prompts of acme.com in March.
func acme() api.PromptsRequest { return api.PromptsRequest{Domain: "acme.com", Window: march} }

// lineByLine writes a list as one JSON value a line, anything else as one line.
func lineByLine(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var rows []json.RawMessage
	if json.Unmarshal(text, &rows) != nil {
		return string(text)
	}
	lines := []string{}
	for _, row := range rows {
		lines = append(lines, string(row))
	}
	return strings.Join(lines, "\n")
}

func expect(t *testing.T, got any, status int, want string) {
	t.Helper()
	if status != 200 {
		t.Fatalf("status %d", status)
	}
	want = strings.TrimSpace(strings.ReplaceAll(want, "\t", ""))
	if text := lineByLine(t, got); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
