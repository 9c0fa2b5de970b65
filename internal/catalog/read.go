package catalog

import (
	"fmt"
	"slices"
)

// workspace reads the whole tree. Whatever does not fit is noted and left out.
func (r *reader) workspace(root *node) *Workspace {
	w := &Workspace{}
	if root.kind != kindMapping {
		r.mistake(root.line, "", "%s", wrongKind(root, "a mapping with teams and products"))
		return w
	}
	o := r.object(root, "", "a workspace", "teams", "products")
	if !o.has("teams") && !o.has("products") {
		r.mistake(root.line, "", "neither teams nor products: an empty workspace is written as teams: []")
	}
	for i, n := range o.list("teams") {
		w.teams = append(w.teams, r.team(n, fmt.Sprintf("teams[%d]", i)))
	}
	for i, n := range o.list("products") {
		w.products = append(w.products, r.product(n, fmt.Sprintf("products[%d]", i)))
	}
	return w
}

func (o object) has(name string) bool {
	return slices.ContainsFunc(o.node.fields, func(f field) bool { return f.name == name })
}

func (r *reader) team(n *node, at string) (t teamEntry) {
	o := r.object(n, at, "a team", "id", "name", "manages")
	t.id, t.line = o.text(o.need("id"), "id", identifier)
	t.name, _ = o.text(o.need("name"), "name", plainText)
	t.manages = o.texts("manages", identifier)
	return t
}

func (r *reader) product(n *node, at string) (p productEntry) {
	o := r.object(n, at, "a product",
		"id", "team", "name", "names", "website", "domain", "competitors", "websites", "labels", "prompts")
	p.id, p.line = o.id(o.need("id"), "id")
	p.team.value, p.team.line = o.text(o.get("team"), "team", identifier)
	p.name, _ = o.text(o.need("name"), "name", plainText)
	for _, name := range o.texts("names", plainText) {
		if !slices.Contains(p.names, name.value) {
			p.names = append(p.names, name.value)
		}
	}
	p.website, _ = o.text(o.need("website"), "website", webAddress)
	p.domain, _ = o.text(o.need("domain"), "domain", domain)
	p.competitors = o.ids("competitors")
	for i, n := range o.list("websites") {
		p.websites = append(p.websites, r.website(n, fmt.Sprintf("%s.websites[%d]", at, i)))
	}
	for i, n := range o.list("labels") {
		p.labels = append(p.labels, r.label(n, fmt.Sprintf("%s.labels[%d]", at, i)))
	}
	for i, n := range o.list("prompts") {
		p.prompts = append(p.prompts, r.prompt(n, fmt.Sprintf("%s.prompts[%d]", at, i), p.domain))
	}
	return p
}

func (r *reader) website(n *node, at string) (w websiteEntry) {
	o := r.object(n, at, "a website", "websiteId", "domain", "partner", "tracked")
	w.id, w.line = o.text(o.need("websiteId"), "websiteId", identifier)
	w.domain, _ = o.text(o.need("domain"), "domain", domain)
	w.partner = o.flag("partner", false)
	w.tracked = o.flag("tracked", true)
	return w
}

func (r *reader) label(n *node, at string) (l labelEntry) {
	o := r.object(n, at, "a label", "id", "name")
	l.id, l.line = o.id(o.need("id"), "id")
	l.name, _ = o.text(o.need("name"), "name", plainText)
	return l
}

func (r *reader) prompt(n *node, at, productDomain string) (p promptEntry) {
	o := r.object(n, at, "a prompt", "id", "text", "domain", "platforms", "labels")
	p.id, p.line = o.id(o.need("id"), "id")
	p.text, p.textLine = o.text(o.need("text"), "text", plainText)
	if p.domain, p.domainLine = o.text(o.get("domain"), "domain", domain); p.domainLine == 0 {
		p.domain = productDomain
	}
	p.platforms = values(o.texts("platforms", shortText))
	p.labels = o.ids("labels")
	return p
}
