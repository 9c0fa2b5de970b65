package oracle

// standing is how a product does over some answers.
type standing struct {
	position, visibility *float64
	rank                 *int64
}

// comparison is the product reported on and its competitors. Nobody else's
// mentions or domains ever count.
func (w *World) comparison(p Product) []Product {
	group := []Product{p}
	for _, id := range p.Competitors {
		if c, ok := w.product(id); ok {
			group = append(group, c)
		}
	}
	return group
}

// standingOf measures a product over answers, pooled. Without an answer there
// is no value at all; without a mention the visibility is 0 and the rest null (S8).
func (w *World) standingOf(p Product, answers []Answer) (s standing) {
	if len(answers) == 0 {
		return s
	}
	mentioned := len(positions(p.ID, answers))
	visibility := float64(mentioned) / float64(len(answers))
	s.visibility = &visibility
	if mentioned == 0 {
		return s
	}
	var sum int64
	for _, position := range positions(p.ID, answers) {
		sum += position
	}
	position := float64(sum) / float64(mentioned)
	s.position = &position

	rank := int64(1)
	for _, other := range w.comparison(p) {
		// The denominator is the same for all, so the counts can be compared.
		if len(positions(other.ID, answers)) > mentioned {
			rank++
		}
	}
	s.rank = &rank
	return s
}

// positions lists the product's places, one for each answer that mentions it.
func positions(productID int64, answers []Answer) (list []int64) {
	for _, a := range answers {
		if position, ok := a.mentions(productID); ok {
			list = append(list, position)
		}
	}
	return list
}

func (a Answer) mentions(productID int64) (position int64, ok bool) {
	for _, m := range a.Mentions {
		if m.ProductID == productID {
			return m.Position, true
		}
	}
	return 0, false
}
