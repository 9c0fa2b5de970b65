package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"time"
)

//go:embed templates
var templateFiles embed.FS

// page is a parsed template.
type page = *template.Template

// frame is what all pages have around their content.
type frame struct {
	Title, Active string
	State         *state
	Nav           []navLink
	Product       string
	Products      []navLink
	Presets       []preset
	Period        string
	Before        string
	Form          filters
	Problems      []string
	Trouble       *trouble
	NoProducts    bool
	Content       any
	User          string
	CanLeave      bool
	Version       string
	began         time.Time
}

type navLink struct {
	Title, Link string
	Current     bool
}

// frameOf fills in what the pages share.
func (d *Dashboard) frameOf(r *http.Request, v view, s *state, l *loaded) frame {
	f := frame{
		Title: v.title, Active: v.name, State: s, Problems: s.problems, Presets: s.presets(d.now()),
		Period: day(s.Window.From) + " to " + day(s.Window.To), Before: day(s.Before.From) + " to " + day(s.Before.To),
		User: d.guard.user(r), CanLeave: d.guard.Password != "", NoProducts: len(l.products) == 0, Product: l.product.Name,
	}
	for _, n := range views {
		if n.name != "prompt" {
			current := n.name == v.name || n.name == "prompts" && v.name == "prompt"
			f.Nav = append(f.Nav, navLink{n.title, s.toPage(n.path), current})
		}
	}
	for _, p := range l.products {
		f.Products = append(f.Products, navLink{p.Name, s.toProduct(p.ID), p.ID == l.product.ID})
	}
	if l.content != nil {
		f.Content, f.Form = l.content, l.content.filters()
	}
	return f
}

// render makes the whole page before it sends any of it: half a page would
// look like an answer.
func (d *Dashboard) render(w http.ResponseWriter, r *http.Request, status int, name string, f frame) {
	f.Version = d.version
	var b bytes.Buffer
	if err := d.pages[name].ExecuteTemplate(&b, "layout.html", f); err != nil {
		d.log.Error("a page of the dashboard failed", "page", name, "error", err)
		http.Error(w, "This page failed. The dashboard's log says why.", http.StatusInternalServerError)
		return
	}
	if !f.began.IsZero() {
		w.Header().Set("Server-Timing", fmt.Sprintf("total;dur=%.1f", float64(time.Since(f.began).Microseconds())/1000))
	}
	send(w, r, status, "text/html; charset=utf-8", b.Bytes())
}

// fail shows a page with one message.
func (d *Dashboard) fail(w http.ResponseWriter, r *http.Request, status int, title, what string) {
	d.render(w, r, status, "message", frame{Title: title, Trouble: &trouble{What: what}})
}

// parsePages parses one set of templates for each page.
func parsePages(assets map[string]asset) (map[string]page, error) {
	functions := template.FuncMap{
		"percent": percent, "decimal": decimal, "count": count, "countOf": countOf, "platform": platformName,
		"day": day, "webLink": webLink, "short": shortURL, "curl": curl,
		"asset":   func(path string) string { return path + "?v=" + assets[path].version },
		"scaled":  drawn,
		"between": func(low, high float64) string { return drawn(max(0.005, high-low)) },
		"pair":    func(s *state, x any) map[string]any { return map[string]any{"State": s, "It": x} },
	}
	base, err := template.New("").Funcs(functions).ParseFS(templateFiles, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, err
	}
	all := make(map[string]page)
	for _, name := range []string{"overview", "prompts", "prompt", "citations", "traffic", "login", "message"} {
		set, err := base.Clone()
		if err != nil {
			return nil, err
		}
		if all[name], err = set.ParseFS(templateFiles, "templates/"+name+".html"); err != nil {
			return nil, err
		}
	}
	return all, nil
}
