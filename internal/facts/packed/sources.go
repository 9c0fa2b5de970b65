package packed

// sources are the domains and pages of a part.
type sources struct {
	domains  []string
	domainOf []uint32 // of each page; pages stand by domain
	urls     []byte   // all, one after another, if they are asked for
	ends     []int    // where each begins, and the last ends
}

func readSources(text []byte, urls bool) (*sources, error) {
	r := cursor{text: text}
	s := &sources{domains: make([]string, r.count())}
	if urls {
		s.ends = append(s.ends, 0)
	}
	before := 0 // where the URL before begins
	for d := range s.domains {
		s.domains[d] = string(r.bytes())
		for range r.count() {
			shared, rest := int(r.number()), r.bytes()
			s.domainOf = append(s.domainOf, uint32(d))
			if !urls {
				continue
			}
			from := len(s.urls)
			if shared < 0 || shared > from-before {
				return nil, errDamaged
			}
			s.urls = append(s.urls, s.urls[before:before+shared]...)
			s.urls = append(s.urls, rest...)
			s.ends = append(s.ends, len(s.urls))
			before = from
		}
	}
	return s, r.err()
}
