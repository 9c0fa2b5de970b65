package web

// rowsPerPage keeps a page readable, and small on the wire.
const rowsPerPage = 50

// pager leads to further rows.
type pager struct {
	First, Last, Total int
	Previous, Next     string
}

// paged cuts out the rows of the page that the URL names.
func paged[T any](s *state, rows []T) ([]T, pager) {
	pages := max(1, (len(rows)+rowsPerPage-1)/rowsPerPage)
	page := min(s.Page, pages)
	first := (page - 1) * rowsPerPage
	last := min(first+rowsPerPage, len(rows))
	p := pager{First: first + 1, Last: last, Total: len(rows)}
	if page > 1 {
		p.Previous = s.PageLink(page - 1)
	}
	if page < pages {
		p.Next = s.PageLink(page + 1)
	}
	return rows[first:last], p
}
