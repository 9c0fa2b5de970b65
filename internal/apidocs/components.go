package apidocs

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// viewComponents fills in what the endpoints share.
func (doc *document) viewComponents(p *page) (err error) {
	if p.Errors, err = doc.failures(); err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, r := range doc.responses {
		for name, h := range r.Headers.all {
			if seen[name] {
				continue
			}
			seen[name] = true
			row := h.Schema.field(name, false)
			row.About = inline(h.Description)
			p.Headers = append(p.Headers, row)
		}
	}
	for name, s := range doc.Components.Schemas.all {
		v := schemaView{Name: name, About: inline(s.Description)}
		for property, value := range s.Properties.all {
			v.Fields = append(v.Fields, value.field(property, slices.Contains(s.Required, property)))
		}
		if len(s.Examples) > 0 {
			if v.JSON, err = prettyJSON(s.Examples[0]); err != nil {
				return err
			}
		}
		p.Schemas = append(p.Schemas, v)
	}
	return nil
}

// responses yields the responses that operations share, then those of each.
func (doc *document) responses(yield func(string, response) bool) {
	for name, r := range doc.Components.Responses.all {
		if !yield(name, r) {
			return
		}
	}
	for _, item := range doc.Paths.all {
		for status, r := range item.Get.Responses.all {
			if !yield(status, r) {
				return
			}
		}
	}
}

// failures lists the answers that are no 200, by status. The document names
// them after their statuses: NotFound is the 404.
func (doc *document) failures() (all []failure, err error) {
	for status := http.StatusBadRequest; status < 600; status++ {
		title := http.StatusText(status)
		r, ok := doc.Components.Responses.values[strings.ReplaceAll(title, " ", "")]
		if !ok {
			continue
		}
		f := failure{Status: strconv.Itoa(status), Title: title, About: inline(r.Description), Headers: r.Headers.keys}
		if f.JSON, err = prettyJSON(r.Content.values["application/json"].Example); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}
