package check

import (
	"slices"

	"github.com/sightline-hq/sightline/api"
)

// pagedQuery is a series with enough rows for pages.
func (p *probe) pagedQuery() query {
	return p.visitQuery().metrics(api.BotVisits, api.HumanVisits).by(api.ByPlatform, api.ByBotType)
}

// Pages have the numbers that follow from totalItems and perPage.
func pagingEnvelope(p *probe) {
	whole, _ := p.whole(p.pagedQuery())
	n := int64(len(whole))
	for _, size := range []int64{1, 7, max(n, 1)} {
		last := (n + size - 1) / size
		for _, number := range []int64{1, 2, max(last, 1), last + 1, last + 1000} {
			p.wantEnvelope(p.pagedQuery(), number, size, n)
		}
	}
}

// wantEnvelope asks for a page and looks at everything but the rows (S22).
func (p *probe) wantEnvelope(q query, number, size, items int64) {
	got, a := p.page(q.page(number, size))
	if p.ended {
		return
	}
	pages := (items + size - 1) / size
	held := min(max(items-(number-1)*size, 0), size)
	var previous, next *int64
	if before := min(number-1, pages); before >= 1 {
		previous = &before
	}
	if after := number + 1; after <= pages {
		next = &after
	}
	want := page{PreviousPage: previous, CurrentPage: number, NextPage: next, TotalPages: pages, TotalItems: items, PerPage: size}
	seen := got
	seen.Items = nil
	if show(seen) != show(want) {
		p.failf(a, "the page says %s, want %s", show(seen), show(want))
	}
	if int64(len(got.Items)) != held {
		p.failf(a, "%d items, want %d", len(got.Items), held)
	}
}

// Pages concatenate to the whole, without overlap or gap.
func pagingConcatenate(p *probe) {
	whole, _ := p.whole(p.pagedQuery())
	size := int64(len(whole)/4 + 1)
	var rows []item
	var last answer
	for number := int64(1); (number-1)*size < int64(len(whole)); number++ {
		answered, a := p.page(p.pagedQuery().page(number, size))
		if have := int64(len(rows)); !p.ended && have <= int64(len(whole)) {
			wantRows(p, a, answered.Items, whole[have:min(have+size, int64(len(whole)))])
		}
		rows, last = append(rows, answered.Items...), a
	}
	wantRows(p, last, rows, whole)
}

// Pages of one row are the rows.
func pagingOneByOne(p *probe) {
	whole, _ := p.whole(p.pagedQuery())
	for _, i := range slices.Compact([]int{0, 1, len(whole) / 2, len(whole) - 1}) {
		if i >= 0 && i < len(whole) {
			answered, a := p.page(p.pagedQuery().page(int64(i)+1, 1))
			wantRows(p, a, answered.Items, whole[i:i+1])
		}
	}
}

// Pages hold what topLimit leaves.
func pagingTopLimit(p *probe) {
	q := p.pagedQuery().with(api.ParamTopLimit, "2")
	whole, _ := p.whole(q)
	n := int64(len(whole))
	p.wantEnvelope(q, 1, n/2+1, n)
	answered, a := p.page(q.page(2, n/2+1))
	if half := int(n/2 + 1); half <= len(whole) {
		wantRows(p, a, answered.Items, whole[half:])
	}
}

// A page may be as large as one likes.
func pagingLarge(p *probe) {
	answered, a := p.page(p.pagedQuery().page(1, maxRows))
	if !p.ended && (answered.PerPage != maxRows || answered.TotalItems <= maxRows && int64(len(answered.Items)) != answered.TotalItems) {
		p.failf(a, "perPage is %d and %d of %d items are there", answered.PerPage, len(answered.Items), answered.TotalItems)
	}
}

// An empty series has no pages.
func pagingEmpty(p *probe) {
	q := p.visitQuery().with(api.ParamWebsiteID, noSuch)
	p.wantEnvelope(q, 1, 20, 0)
	p.wantEnvelope(q, 9, 20, 0)
}
