package random

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/oracle"
)

// memory is a server made of the oracle. Its flaw, if it has one, is what
// Check must find.
type memory struct {
	world *oracle.World
	flaw  flaw
}

func (m *memory) Load(w *oracle.World) (map[string]string, error) {
	m.world = w
	if m.flaw.world != nil {
		m.world = m.flaw.world(clone(w))
	}
	keys := map[string]string{}
	for _, team := range w.Teams {
		keys[team.ID] = "key-of-" + team.ID
	}
	return keys, nil
}

func (m *memory) Do(method, pathAndQuery, key string) (int, http.Header, []byte, error) {
	path, query, _ := strings.Cut(pathAndQuery, "?")
	answer, status := m.answer(path, query, strings.TrimPrefix(key, "key-of-"))
	header := http.Header{"Content-Type": {"application/json"}}
	switch status {
	case http.StatusBadRequest:
		answer = api.ErrorResponse{Message: "Invalid request parameters."}
		header.Set("Sightline-Error-Detail", "something: wrong")
	case http.StatusUnauthorized:
		answer = api.ErrorResponse{Message: "Unauthorized."}
	}
	body, err := json.Marshal(answer)
	if method == http.MethodHead {
		body = nil
	}
	if m.flaw.response != nil {
		m.flaw.response(method, status, header, &body)
	}
	return status, header, body, err
}

func (m *memory) answer(path, query, team string) (any, int) {
	if path == api.RouteProducts {
		return m.world.Products(team)
	}
	id, report, _ := strings.Cut(strings.TrimPrefix(path, api.RouteProducts+"/"), "/")
	product, err := strconv.ParseInt(id, 10, 64)
	if err != nil || !whole.MatchString(id) {
		return nil, http.StatusUnauthorized
	}
	_, status := m.world.Websites(team, product)
	if status != http.StatusOK && !m.flaw.tellsStrangers || report == "websites" {
		return m.world.Websites(team, product)
	}
	values, err := url.ParseQuery(query)
	d := &decoder{values, err != nil}
	if m.flaw.query != nil {
		m.flaw.query(values)
	}
	if report == "analytics/timeseries" {
		return m.timeseries(team, product, d)
	}
	return m.prompts(report, team, product, d)
}

func (m *memory) timeseries(team string, product int64, d *decoder) (any, int) {
	r := d.timeseries()
	if d.bad {
		return nil, http.StatusBadRequest
	}
	if m.flaw.series != nil {
		m.flaw.series(&r)
	}
	answer, status := m.world.Timeseries(team, product, r)
	if m.flaw.pages != nil {
		m.flaw.pages(&answer)
	}
	return answer, status
}

func (m *memory) prompts(report, team string, product int64, d *decoder) (any, int) {
	w, r := m.world, api.CitationsRequest{}
	if report == "citations" {
		r = d.citations()
	} else {
		r.PromptsRequest = d.prompts()
	}
	if d.bad {
		return nil, http.StatusBadRequest
	}
	if m.flaw.prompts != nil {
		m.flaw.prompts(&r.PromptsRequest)
	}
	switch report {
	case "prompts":
		return w.Prompts(team, product, r.PromptsRequest)
	case "prompts/dates":
		return w.PromptDates(team, product, r.PromptsRequest)
	case "citations":
		return w.Citations(team, product, r)
	}
	summary, status := w.PromptSummary(team, product, r.PromptsRequest)
	if m.flaw.summary != nil && status == http.StatusOK {
		m.flaw.summary(w, team, product, r.PromptsRequest, &summary)
	}
	return summary, status
}

// clone copies a world deeply enough for a flaw to change it.
func clone(w *oracle.World) *oracle.World {
	c := *w
	c.Teams = append([]oracle.Team(nil), w.Teams...)
	c.Catalog = append([]oracle.Product(nil), w.Catalog...)
	for i := range c.Catalog {
		c.Catalog[i].Websites = append([]oracle.Website(nil), c.Catalog[i].Websites...)
	}
	c.Answers = append([]oracle.Answer(nil), w.Answers...)
	for i := range c.Answers {
		c.Answers[i].Citations = append([]oracle.Citation(nil), c.Answers[i].Citations...)
	}
	c.Pageviews = append([]oracle.Pageview(nil), w.Pageviews...)
	return &c
}
