package house

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/sightline-hq/sightline/internal/demotest"
)

const grafana = "../../deploy/grafana/"

// infinity is a request of Grafana's data source, as far as it is used here.
type infinity struct {
	Type, Source, Parser, Format, URL string
	Options                           struct {
		Method string
		Params []struct{ Key, Value string }
	} `json:"url_options"`
	Root    string `json:"root_selector"`
	Columns []struct{ Selector, Text, Type string }
}

type panel struct {
	ID          int
	Title, Type string
	Targets     []infinity
	FieldConfig struct {
		Overrides []struct {
			Matcher struct{ ID, Options string }
		}
	}
	Transformations []struct {
		ID      string
		Options struct{ Fields map[string]any }
	}
}

type grafanaDashboard struct {
	UID        string
	Timezone   string
	Templating struct {
		List []struct {
			Name, Type string
			Query      json.RawMessage
		}
	}
	Panels []panel
}

// Grafana is not here, but the server is: every request of the dashboard is
// sent, and every field that it names is in the answer, with its type.
func TestGrafanaFindsWhatItsDashboardAsksFor(t *testing.T) {
	var d grafanaDashboard
	if err := json.Unmarshal(read(t, grafana+"sightline.json"), &d); err != nil {
		t.Fatal(err)
	}
	from, to := quickstartWindow()
	demo := demotest.Start(t, from, to)
	key := demo.Keys[demotest.Northwind]
	// What Grafana puts in: it writes times with milliseconds.
	variables := strings.NewReplacer("${product}", "102", "${domain}", "inkfern.example",
		"${__from:date:iso}", from.Format("2006-01-02T15:04:05.000Z"), "${__to:date:iso}", to.Format("2006-01-02T15:04:05.000Z"))
	if d.UID == "" || d.Timezone != "utc" || len(d.Panels) < 7 || len(d.Templating.List) != 3 {
		t.Fatalf("%+v", d)
	}
	for _, v := range d.Templating.List {
		if v.Type != "query" {
			continue
		}
		var q struct{ InfinityQuery infinity }
		if err := json.Unmarshal(v.Query, &q); err != nil {
			t.Fatal(err)
		}
		t.Run("variable "+v.Name, func(t *testing.T) { q.InfinityQuery.finds(t, demo.URL, key, variables) })
	}
	for _, p := range d.Panels {
		t.Run(p.Title, func(t *testing.T) {
			for _, q := range p.Targets {
				q.finds(t, demo.URL, key, variables)
			}
			p.namesItsColumns(t)
		})
	}
}

// finds sends a request and looks for its columns in the answer.
func (q infinity) finds(t *testing.T, base, key string, variables *strings.Replacer) {
	t.Helper()
	if q.Type != "json" || q.Source != "url" || q.Parser != "backend" || q.Options.Method != "GET" {
		t.Errorf("not a request of the data source: %+v", q)
	}
	address, err := url.Parse(base + variables.Replace(q.URL))
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	for _, p := range q.Options.Params {
		query.Add(p.Key, variables.Replace(p.Value))
	}
	if left := regexp.MustCompile(`\$\{[^}]*\}`).FindString(address.String() + query.Encode()); left != "" {
		t.Fatalf("nothing sets %s", left)
	}
	address.RawQuery = query.Encode()
	var answer any
	ask(t, address.String(), key, &answer)
	rows := q.rows(t, answer, variables)
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", address)
	}
	for _, c := range q.Columns {
		known := 0
		for _, row := range rows {
			value, ok := row[c.Selector]
			if !ok {
				t.Fatalf("%s: a row without %s", address, c.Selector)
			}
			if value != nil {
				known++
				if !fits(c.Type, value) {
					t.Errorf("%s: %s is %v, not a %s", address, c.Selector, value, c.Type)
				}
			}
		}
		if known == 0 {
			t.Errorf("%s: %s is always null", address, c.Selector)
		}
	}
	if page, ok := answer.(map[string]any); ok && page["nextPage"] != nil {
		t.Errorf("%s: more than one page", address)
	}
}

// rows is what the root selector takes: all, a field, or the objects of a list
// with an id.
func (q infinity) rows(t *testing.T, answer any, variables *strings.Replacer) (rows []map[string]any) {
	t.Helper()
	keep := func(map[string]any) bool { return true }
	if m := regexp.MustCompile(`^#\(id==(.+)\)#$`).FindStringSubmatch(variables.Replace(q.Root)); m != nil {
		keep = func(row map[string]any) bool { id, _ := json.Marshal(row["id"]); return string(id) == m[1] }
	} else if q.Root != "" {
		answer = answer.(map[string]any)[q.Root]
	}
	if one, ok := answer.(map[string]any); ok {
		return []map[string]any{one}
	}
	list, ok := answer.([]any)
	if !ok {
		t.Fatalf("%q leads to no rows", q.Root)
	}
	for _, row := range list {
		if object := row.(map[string]any); keep(object) {
			rows = append(rows, object)
		}
	}
	return rows
}

func fits(kind string, value any) bool {
	switch v := value.(type) {
	case float64:
		return kind == "number" || kind == "string" // Grafana writes ids as text
	case bool:
		return kind == "boolean"
	case string:
		_, err := time.Parse(time.RFC3339, v)
		return kind == "string" || kind == "timestamp" && err == nil
	}
	return false
}

// Overrides and transformations name columns of the panel.
func (p panel) namesItsColumns(t *testing.T) {
	t.Helper()
	var texts []string
	for _, q := range p.Targets {
		for _, c := range q.Columns {
			texts = append(texts, c.Text)
		}
	}
	for _, o := range p.FieldConfig.Overrides {
		if o.Matcher.ID != "byName" || !slices.Contains(texts, o.Matcher.Options) {
			t.Errorf("an override of %q, which is none of %q", o.Matcher.Options, texts)
		}
	}
	for _, tr := range p.Transformations {
		for name := range tr.Options.Fields {
			if !slices.Contains(texts, name) {
				t.Errorf("%s takes %q, which is none of %q", tr.ID, name, texts)
			}
		}
	}
}

func TestGrafanaKeepsTheKeySecret(t *testing.T) {
	text := read(t, grafana+"datasource.yaml")
	var file struct {
		Datasources []struct {
			Type, Access, URL string
			JSONData          struct {
				Auth  string   `yaml:"auth_method"`
				Hosts []string `yaml:"allowedHosts"`
			} `yaml:"jsonData"`
			Secure map[string]string `yaml:"secureJsonData"`
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil || len(file.Datasources) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	d := file.Datasources[0]
	if d.Type != "yesoreyeram-infinity-datasource" || d.Access != "proxy" || d.URL != "$SIGHTLINE_BASE_URL" || d.JSONData.Auth != "bearerToken" ||
		!slices.Equal(d.JSONData.Hosts, []string{d.URL}) || d.Secure["bearerToken"] != "$SIGHTLINE_API_KEY" {
		t.Errorf("%+v", d)
	}
}
