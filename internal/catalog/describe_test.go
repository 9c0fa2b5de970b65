package catalog

import (
	"fmt"
	"strings"
)

// describe writes a product and all that hangs on it, a line each, so that
// expected catalogs can be read.
func describe(b *strings.Builder, p *Product) {
	fmt.Fprintf(b, "%d %s %q [%s] %s %s\n", p.ID, p.TeamID, p.Name, strings.Join(p.Names, ", "), p.Website, p.Domain)
	fmt.Fprintf(b, "  competitors%s; compared%s\n", productIDs(p.Competitors), productIDs(p.Comparison()))
	for _, w := range p.Websites {
		fmt.Fprintf(b, "  website %s %s partner=%v tracked=%v\n", w.ID, w.Domain, w.Partner, w.Tracked)
	}
	for _, l := range p.Labels {
		fmt.Fprintf(b, "  label %d %s\n", l.ID, l.Name)
	}
	for _, q := range p.Prompts {
		fmt.Fprintf(b, "  prompt %d %q %s [%s] labels%s\n", q.ID, q.Text, q.Domain, strings.Join(q.Platforms, ", "), labelIDs(q.Labels))
	}
}

func productIDs(products []*Product) (s string) {
	for _, p := range products {
		s += fmt.Sprintf(" %d", p.ID)
	}
	return s
}

func labelIDs(labels []*Label) (s string) {
	for _, l := range labels {
		s += fmt.Sprintf(" %d", l.ID)
	}
	return s
}
