package packed

// sources are the domains and pages of a part.
type sources struct {
	domains  [][]byte
	domainOf []uint32 // of each page; pages stand by domain
	urls     []byte   // all, one after another, if they are asked for
	ends     []int    // where each begins, and the last ends
}

// read reads domains, and pages if asked to. In the first generation a
// domain's pages follow it in the same text.
func (s *sources) read(from Sources, urls bool) error {
	names, pages := &cursor{text: from.Domains}, &cursor{text: from.URLs}
	mixed, most := from.Pages != nil, mostPages
	if mixed {
		names, most = &cursor{text: from.Pages}, len(from.Pages)
		pages = names
	}
	*s = sources{domains: s.domains[:0], domainOf: s.domainOf[:0], urls: s.urls[:0], ends: append(s.ends[:0], 0)}
	before := 0 // where the URL before begins
	for d := range names.count() {
		s.domains = append(s.domains, names.bytes())
		n := names.number()
		if names.bad || n > uint64(most-len(s.domainOf)) {
			return errDamaged
		}
		for range n {
			s.domainOf = append(s.domainOf, uint32(d))
		}
		if !urls && !mixed {
			continue
		}
		for range n {
			shared, rest := int(pages.number()), pages.bytes()
			if !urls && !pages.bad {
				continue
			}
			from := len(s.urls)
			if pages.bad || shared < 0 || shared > from-before {
				return errDamaged
			}
			s.urls = append(s.urls, s.urls[before:before+shared]...)
			s.urls = append(s.urls, rest...)
			s.ends = append(s.ends, len(s.urls))
			before = from
		}
	}
	if names.bad || names.at != len(names.text) || urls && pages.at != len(pages.text) {
		return errDamaged
	}
	return nil
}

// mostPages bounds the memory that damaged text may ask for: no part has more
// than maxPages and those of an answer.
const mostPages = 4 * maxPages
