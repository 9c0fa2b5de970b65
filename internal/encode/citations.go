package encode

import "github.com/sightline-hq/sightline/api"

func writeCitations(d *document, c *api.CitationResponse) {
	open := byte('{')
	begin := func(name string) {
		d.last = append(append(d.last, open), name...)
		open = ','
	}
	if c.ByProperty != nil {
		begin(`"byProperty":`)
		writeList(d, c.ByProperty, func(w *pen, before, p *api.CitationByProperty) {
			w.writeText(`{"domain":`, before.Domain, p.Domain)
			writeElements(w, `,"products":`, before.Products, p.Products, w.writeProduct)
			w.writeCited(p.Count, p.IsMentioned)
		})
	}
	if c.ByPage != nil {
		begin(`"byPage":`)
		writeList(d, c.ByPage, func(w *pen, before, p *api.CitationByPage) {
			w.writeText(`{"domain":`, before.Domain, p.Domain)
			w.writeText(`,"url":`, before.URL, p.URL)
			writeElements(w, `,"products":`, before.Products, p.Products, w.writeProduct)
			w.writeCited(p.Count, p.IsMentioned)
		})
	}
	if c.ByProduct != nil {
		begin(`"byProduct":`)
		writeList(d, c.ByProduct, func(w *pen, before, p *api.CitationByProduct) {
			w.writeText(`{"name":`, before.Name, p.Name)
			w.writeText(`,"domain":`, before.Domain, p.Domain)
			w.writeCited(p.Count, p.IsMentioned)
		})
	}
	if open == '{' {
		d.last = append(d.last, open)
	}
	d.last = append(d.last, '}')
}

// writeCited ends a row.
func (p *pen) writeCited(count int64, mentioned bool) {
	p.writeCount(`,"count":`, count)
	p.writeBool(`,"isMentioned":`, mentioned)
	p.mark('}')
}
