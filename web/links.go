package web

import (
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/sightline-hq/sightline/internal/insight"
)

// Link returns this page's URL with some parameters changed: names and values
// in turn, an empty value removes its name. It leads to the first page of rows.
func (s *state) Link(changes ...string) string {
	return s.to(s.path, s.values, changes...)
}

// PageLink leads to further rows.
func (s *state) PageLink(page int) string { return s.Link("page", strconv.Itoa(page)) }

// CSV returns the URL of a table of this page as a file.
func (s *state) CSV(table string) string {
	return s.to(fileOf(s.path), s.values, "table", table)
}

// Prompted leads to the page of one prompt.
func (s *state) Prompted(text string) string {
	return s.to("/prompt", s.values, "prompt", text, "sort", "", "order", "", "view", "")
}

// Paged leads to the traffic of one page of a website.
func (s *state) Paged(path string) string { return s.Link("path", path) }

func (s *state) to(path string, values url.Values, changes ...string) string {
	v := maps.Clone(values)
	for i := 0; i+1 < len(changes); i += 2 {
		if v.Del(changes[i]); changes[i+1] != "" {
			v.Set(changes[i], changes[i+1])
		}
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// shared are the parameters that go along from page to page.
var shared = map[string][]string{
	"/":          {"product", "domain", "last", "from", "to", "platform", "label"},
	"/prompts":   {"product", "domain", "last", "from", "to", "platform", "label"},
	"/citations": {"product", "domain", "last", "from", "to", "platform", "label"},
	"/traffic":   {"product", "domain", "last", "from", "to"},
}

// toPage leads to another page with the same product and period.
func (s *state) toPage(path string) string {
	kept := make(url.Values)
	for _, name := range shared[path] {
		if name == "platform" && s.path == "/traffic" {
			continue // agents' platforms are another list
		}
		if v := s.values[name]; len(v) > 0 {
			kept[name] = v
		}
	}
	return s.to(path, kept)
}

// toProduct leads to another product; domains, labels and websites are the
// product's own and stay behind.
func (s *state) toProduct(id int64) string {
	return s.to(s.path, s.values, "product", strconv.FormatInt(id, 10), "domain", "", "label", "", "website", "", "path", "", "prompt", "")
}

// preset is a period with a name.
type preset struct {
	Label, Link string
	Current     bool
}

// presets tell by the dates which of them is shown: a form sends dates.
func (s *state) presets(now time.Time) (all []preset) {
	for _, p := range []struct{ last, label string }{{"7d", "7 days"}, {"30d", "30 days"}, {"90d", "90 days"}} {
		w, _ := insight.Period("", "", p.last, now)
		all = append(all, preset{p.label, s.Link("last", p.last, "from", "", "to", ""), w == s.Window})
	}
	return all
}

// Hidden are the parameters that the filter form carries along unseen.
func (s *state) Hidden() url.Values {
	kept := make(url.Values)
	for _, name := range []string{"product", "by", "mentioned", "view", "sort", "order", "prompt", "interval", "path"} {
		if v := s.values[name]; len(v) > 0 {
			kept[name] = v
		}
	}
	return kept
}

// Path is where the form leads.
func (s *state) Path() string { return s.path }

// From is the first day of the period.
func (s *state) From() string { return s.Window.From.UTC().Format(time.DateOnly) }

// To is the last day of the period.
func (s *state) To() string { return s.Window.To.UTC().Format(time.DateOnly) }
