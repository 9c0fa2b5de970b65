package encode

import (
	"hash/maphash"
	"strconv"

	"github.com/sightline-hq/sightline/api"
)

func writeCitations(d *document, c *api.CitationResponse) {
	open := byte('{')
	begin := func(name string) {
		d.last = append(append(d.last, open), name...)
		open = ','
	}
	if c.ByProperty != nil {
		begin(`"byProperty":`)
		writeList(d, c.ByProperty, func() rowWriter[api.CitationByProperty] {
			known := new(products)
			return func(to []byte, p *api.CitationByProperty) []byte {
				to = appendText(append(to, `{"domain":`...), p.Domain)
				return known.appendCited(to, p.Products, p.Count, p.IsMentioned)
			}
		})
	}
	if c.ByPage != nil {
		begin(`"byPage":`)
		writeList(d, c.ByPage, func() rowWriter[api.CitationByPage] {
			known := new(products)
			return func(to []byte, p *api.CitationByPage) []byte {
				to = appendText(append(to, `{"domain":`...), p.Domain)
				to = appendText(append(to, `,"url":`...), p.URL)
				return known.appendCited(to, p.Products, p.Count, p.IsMentioned)
			}
		})
	}
	if c.ByProduct != nil {
		begin(`"byProduct":`)
		writeList(d, c.ByProduct, always(func(to []byte, p *api.CitationByProduct) []byte {
			return appendCounted(appendNamed(to, p.Name, p.Domain), p.Count, p.IsMentioned)
		}))
	}
	if open == '{' {
		d.last = append(d.last, open)
	}
	d.last = append(d.last, '}')
}

// products are those that were written lately, and how: the same few dozen stand
// beside every page, and make nearly all of the text.
type products [128]struct {
	product api.CitationProduct
	text    []byte // with a comma behind it
}

var seed = maphash.MakeSeed()

// appendCited appends what citations of domains and pages have in common.
func (known *products) appendCited(to []byte, list []api.CitationProduct, count int64, mentioned bool) []byte {
	to = append(to, `,"products":`...)
	switch {
	case list == nil:
		to = append(to, "null"...)
	case len(list) == 0:
		to = append(to, "[]"...)
	default:
		to = append(to, '[')
		for i := range list {
			p := &list[i]
			k := &known[maphash.String(seed, p.Name)%uint64(len(known))]
			if k.text == nil || k.product != *p {
				k.product, k.text = *p, append(appendNamed(k.text[:0], p.Name, p.Domain), "},"...)
			}
			to = append(to, k.text...)
		}
		to[len(to)-1] = ']'
	}
	return appendCounted(to, count, mentioned)
}

// appendNamed begins an object with a name and a domain.
func appendNamed(to []byte, name, domain string) []byte {
	to = appendText(append(to, `{"name":`...), name)
	return appendText(append(to, `,"domain":`...), domain)
}

// appendCounted ends an object with a count.
func appendCounted(to []byte, count int64, mentioned bool) []byte {
	to = strconv.AppendInt(append(to, `,"count":`...), count, 10)
	return append(strconv.AppendBool(append(to, `,"isMentioned":`...), mentioned), '}')
}
