package server

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/encode"
	"github.com/sightline-hq/sightline/internal/export"
	"github.com/sightline-hq/sightline/internal/report"
)

// reply is an encoded answer.
type reply struct {
	body   body
	etag   string
	header []header // beside what all answers have
}

type header struct{ name, value string }

// write sends an answer that is not remembered.
func (q question) write(w http.ResponseWriter, r *http.Request, format *export.Format, answer any) error {
	reply, err := q.encode(format, answer)
	if err != nil {
		return err
	}
	reply.write(w, r)
	return nil
}

// encode makes JSON or an export of an answer that is at hand as a whole. Its
// tag is a sum of the bytes, or of what they follow from: equal tags mean equal
// answers, on whatever server. An export's is one of its headers, too: they hold
// the numbers of its page, and one row of NDJSON may be the very bytes of the JSON.
func (q question) encode(format *export.Format, answer any) (*reply, error) {
	header := q.headers(format, answer)
	if format == nil {
		if page, ok := answer.(*report.TimeseriesPage); ok {
			answer = page.TimeseriesResponse
		}
		line, err := encode.JSON(answer)
		if err != nil {
			return nil, err
		}
		text := body(line.Pieces)
		if sum := line.Sum(); sum != nil {
			return &reply{text, tagOf(sum), header}, nil
		}
		return &reply{text, text.tag(), header}, nil
	}
	var file body
	if err := format.Write(&file, q.table(answer)); err != nil {
		return nil, err
	}
	tagged := append(body{fmt.Appendf(nil, "%q", header)}, file...)
	return &reply{file, tagged.tag(), header}, nil
}

// headers are those of a report, which comes in several forms. An export is a
// file, and what the JSON says beside its rows is in its headers.
func (q question) headers(format *export.Format, answer any) []header {
	all := []header{{"Vary", "Authorization, Accept"}}
	if format == nil {
		return all
	}
	all = append(all,
		header{"Content-Type", format.ContentType()},
		header{"Content-Disposition", `attachment; filename="sightline-` + q.name + format.Extension + `"`},
	)
	if page, ok := answer.(*report.TimeseriesPage); ok {
		all = append(all, pageHeaders(page.TimeseriesResponse)...)
	}
	return all
}

func pageHeaders(p api.TimeseriesResponse) (all []header) {
	for _, n := range []struct {
		name  string
		value *int64
	}{
		{api.HeaderPreviousPage, p.PreviousPage}, {api.HeaderCurrentPage, &p.CurrentPage}, {api.HeaderNextPage, p.NextPage},
		{api.HeaderTotalPages, &p.TotalPages}, {api.HeaderTotalItems, &p.TotalItems}, {api.HeaderPerPage, &p.PerPage},
	} {
		if n.value != nil {
			all = append(all, header{n.name, strconv.FormatInt(*n.value, 10)})
		}
	}
	return all
}

// mediaOf names a form.
func mediaOf(format *export.Format) string {
	if format == nil {
		return api.MediaJSON
	}
	return format.Media
}

// write sends an answer, or that the caller has it already.
func (p *reply) write(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	set(w.Header(), p.header)
	w.Header().Set("ETag", p.etag)
	if matches(r.Header, p.etag) {
		w.Header().Del("Content-Type")
		w.Header().Del("Content-Disposition")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	send(w, r, http.StatusOK, p.body)
}

func set(h http.Header, headers []header) {
	for _, one := range headers {
		h.Set(one.name, one.value)
	}
}
