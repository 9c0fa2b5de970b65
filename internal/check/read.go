package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/sightline-hq/sightline/api"
)

// get asks with the key and wants a 200.
func (p *probe) get(target string) answer {
	a := p.send(request{method: http.MethodGet, target: target, as: p.key})
	p.wantStatus(a, http.StatusOK)
	return a
}

// ask is get of a route of the product.
func (p *probe) ask(route string, q query) answer { return p.get(q.at(p.path(route))) }

func (p *probe) wantStatus(a answer, status int) {
	if !p.ended && a.status != status {
		p.failf(a, "status %d, want %d; body %s", a.status, status, a.text())
	}
}

// wantError wants an error of the contract: its status, and its message alone.
func (p *probe) wantError(a answer, status int, message string) {
	p.wantStatus(a, status)
	if p.ended || a.request.method == http.MethodHead {
		return
	}
	var body map[string]any
	if err := json.Unmarshal(a.body, &body); err != nil || len(body) != 1 || body["message"] != message {
		p.failf(a, `body %s, want {"message":%q}`, a.text(), message)
	}
}

// wantSame wants two answers that are equal, byte for byte.
func (p *probe) wantSame(got, want answer) {
	if p.ended || bytes.Equal(got.body, want.body) {
		return
	}
	at := 0
	for at < min(len(got.body), len(want.body)) && got.body[at] == want.body[at] {
		at++
	}
	p.failf(got, "not the bytes of %s: from byte %d on, %s instead of %s",
		want.request, at, excerpt(got.body[at:]), excerpt(want.body[at:]))
}

func excerpt(text []byte) string {
	const most = 160
	if len(text) == 0 {
		return "nothing"
	}
	return string(text[:min(len(text), most)])
}

// read decodes the body of an answer.
func read[T any](p *probe, a answer) (value T) {
	if p.ended {
		return value
	}
	if err := json.Unmarshal(a.body, &value); err != nil {
		p.failf(a, "the body cannot be read: %v", err)
		var none T
		return none
	}
	return value
}

func (p *probe) prompts(q query) ([]api.PromptMetric, answer) {
	a := p.ask(api.RoutePrompts, q)
	return read[[]api.PromptMetric](p, a), a
}

func (p *probe) summary(q query) (api.PromptSummary, answer) {
	a := p.ask(api.RoutePromptSummary, q)
	return read[api.PromptSummary](p, a), a
}

func (p *probe) dates(q query) ([]api.DailyPromptMetric, answer) {
	a := p.ask(api.RoutePromptDates, q)
	return read[[]api.DailyPromptMetric](p, a), a
}

func (p *probe) citations(q query) (api.CitationResponse, answer) {
	a := p.ask(api.RouteCitations, q)
	return read[api.CitationResponse](p, a), a
}

// websites returns the tracked websites of the product.
func (p *probe) websites() []api.Website {
	return read[[]api.Website](p, p.ask(api.RouteWebsites, nil))
}

// wantOrder wants rows in an order, and says where they are not.
func wantOrder[T any](p *probe, a answer, rows []T, compare func(x, y T) int) {
	for i := 1; i < len(rows) && !p.ended; i++ {
		if compare(rows[i-1], rows[i]) > 0 {
			p.failf(a, "row %d must not come before row %d: %s, %s", i, i+1, show(rows[i-1]), show(rows[i]))
		}
	}
}

// wantDistinct wants rows whose keys are all different.
func wantDistinct[T any](p *probe, a answer, rows []T, key func(T) string) {
	seen := make(map[string]bool)
	for _, row := range rows {
		if k := key(row); seen[k] {
			p.failf(a, "twice: %s", show(row))
		} else {
			seen[k] = true
		}
	}
}

// wantRows wants the same rows in the same order.
func wantRows[T any](p *probe, a answer, got, want []T) {
	if p.ended {
		return
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			p.failf(a, "%d rows, want %d: %s is missing", len(got), len(want), show(want[i]))
		case i >= len(want):
			p.failf(a, "%d rows, want %d: %s is too many", len(got), len(want), show(got[i]))
		case show(got[i]) != show(want[i]):
			p.failf(a, "row %d is %s, want %s", i+1, show(got[i]), show(want[i]))
		}
	}
}

// show writes a row as JSON.
func show(row any) string {
	text, err := json.Marshal(row)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// filter returns the rows that pass.
func filter[T any](rows []T, pass func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(rows), func(row T) bool { return !pass(row) })
}

// sortedKeys makes what is seen repeatable.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
