package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// checker compares the entries of a workspace with each other: ids that must
// differ, and names of things that must exist.
type checker struct {
	*notes
	w        *Workspace
	products map[int64]bool
	teams    map[string]bool
	teamList string // for the reasons
}

func check(n *notes, w *Workspace) {
	c := checker{notes: n, w: w, products: make(map[int64]bool), teams: make(map[string]bool)}
	for _, t := range w.teams {
		c.teams[t.id] = t.id != ""
	}
	delete(c.teams, "")
	c.teamList = teamsAre(slices.Sorted(maps.Keys(c.teams)))
	for _, p := range w.products {
		c.products[p.id] = p.id != 0
	}
	c.ids()
	for i, t := range w.teams {
		c.team(t, fmt.Sprintf("teams[%d]", i))
	}
	for i, p := range w.products {
		at := fmt.Sprintf("products[%d]", i)
		c.product(p, at)
		c.prompts(p, at)
	}
}

// ids finds ids that are used twice. Websites and prompts are known by their id
// alone in the data that is loaded, so theirs are unique over all products.
func (c checker) ids() {
	teams, websites := make(map[string]int), make(map[string]int)
	products, prompts := make(map[int64]int), make(map[int64]int)
	for i, t := range c.w.teams {
		unique(c, teams, "team", t.id, t.line, "teams[%d].id", i)
	}
	for i, p := range c.w.products {
		unique(c, products, "product", p.id, p.line, "products[%d].id", i)
		labels := make(map[int64]int)
		for j, l := range p.labels {
			unique(c, labels, "label", l.id, l.line, "products[%d].labels[%d].id", i, j)
		}
		for j, w := range p.websites {
			unique(c, websites, "website", w.id, w.line, "products[%d].websites[%d].websiteId", i, j)
		}
		for j, q := range p.prompts {
			unique(c, prompts, "prompt", q.id, q.line, "products[%d].prompts[%d].id", i, j)
		}
	}
}

func unique[T comparable](c checker, seen map[T]int, what string, id T, line int, where string, at ...any) {
	var none T
	if id == none {
		return
	}
	if first, ok := seen[id]; ok {
		c.mistake(line, fmt.Sprintf(where, at...), "%s %v is already on line %d", what, id, first)
		return
	}
	seen[id] = line
}

func (c checker) team(t teamEntry, at string) {
	for _, m := range t.manages {
		switch {
		case m.value == t.id:
			c.mistake(m.line, at+".manages", "team %s cannot manage itself", t.id)
		case !c.teams[m.value]:
			c.mistake(m.line, at+".manages", "no team %s in this file: %s", quote(m.value), c.teamList)
		}
	}
}

func (c checker) product(p productEntry, at string) {
	if p.team.value != "" && !c.teams[p.team.value] {
		c.mistake(p.team.line, at+".team", "no team %s in this file: %s", quote(p.team.value), c.teamList)
	}
	seen := make(map[int64]bool)
	for _, r := range p.competitors {
		switch {
		case r.value == p.id:
			c.mistake(r.line, at+".competitors", "product %d cannot compete with itself", p.id)
		case seen[r.value]:
			c.mistake(r.line, at+".competitors", "product %d is named twice", r.value)
		case !c.products[r.value]:
			c.mistake(r.line, at+".competitors", "no product %d in this file: add it, without a team if it is only a competitor", r.value)
		}
		seen[r.value] = true
	}
}

func (c checker) prompts(p productEntry, at string) {
	labels := make(map[int64]bool)
	for _, l := range p.labels {
		labels[l.id] = true
	}
	known := labelList(p)
	type question struct{ text, domain string }
	seen := make(map[question]int)
	for j, q := range p.prompts {
		at := fmt.Sprintf("%s.prompts[%d]", at, j)
		for _, l := range q.labels {
			if !labels[l.value] {
				c.mistake(l.line, at+".labels", "label %d is not one of product %d's labels (%s)", l.value, p.id, known)
			}
		}
		if q.domainLine > 0 && q.domain != "" && !p.owns(q.domain) {
			c.warning(q.domainLine, at+".domain", "%s is neither the domain of product %d nor of one of its websites", q.domain, p.id)
		}
		if q.text == "" || q.domain == "" {
			continue
		}
		if first, ok := seen[question{q.text, q.domain}]; ok {
			c.mistake(q.textLine, at+".text", "product %d already asks this for %s on line %d", p.id, q.domain, first)
			continue
		}
		seen[question{q.text, q.domain}] = q.textLine
	}
}

// owns tells whether a domain is the product's, a website's, or below one.
func (p productEntry) owns(domain string) bool {
	within := func(base string) bool { return domain == base || strings.HasSuffix(domain, "."+base) }
	return within(p.domain) || slices.ContainsFunc(p.websites, func(w websiteEntry) bool { return within(w.domain) })
}

func labelList(p productEntry) string {
	if len(p.labels) == 0 {
		return "it has none"
	}
	var ids []int64
	for _, l := range p.labels {
		if l.id != 0 {
			ids = append(ids, l.id)
		}
	}
	slices.Sort(ids)
	var names []string
	for _, id := range ids {
		names = append(names, strconv.FormatInt(id, 10))
	}
	return some(names)
}

// teamsAre ends a sentence about a team that does not exist.
func teamsAre(ids []string) string {
	if len(ids) == 0 {
		return "there are no teams"
	}
	return "teams are " + some(ids)
}

// some lists names, the first of them if there are many.
func some(names []string) string {
	const shown = 20
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
