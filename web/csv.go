package web

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/sightline-hq/sightline/internal/export"
)

// download sends a table of a page as a file.
func (d *Dashboard) download(v view) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, loaded, trouble := d.load(r, v, v.path)
		if trouble != nil {
			d.plain(w, http.StatusBadGateway, trouble)
			return
		}
		name := r.URL.Query().Get("table")
		for _, t := range loaded.content.tables() {
			if t.ID != name {
				continue
			}
			if t.Trouble != nil {
				d.plain(w, http.StatusBadGateway, t.Trouble)
				return
			}
			body, err := encodeCSV(t)
			if err != nil {
				http.Error(w, "The table could not be written.", http.StatusInternalServerError)
				return
			}
			file := fmt.Sprintf("sightline-%s-%s-%s.csv", t.ID, loaded.Window.From.UTC().Format(time.DateOnly), loaded.Window.To.UTC().Format(time.DateOnly))
			w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
			send(w, r, http.StatusOK, "text/csv; charset=utf-8", body)
			return
		}
		http.Error(w, "This page has no such table.", http.StatusNotFound)
	})
}

func (d *Dashboard) plain(w http.ResponseWriter, status int, t *trouble) {
	http.Error(w, t.What+" "+t.Do, status)
}

// encodeCSV makes a file of a table. Its cells are text; no figure of ours begins
// as a formula does.
func encodeCSV(t table) ([]byte, error) {
	var b bytes.Buffer
	w, err := export.NewCSV(&b, "\r\n", t.Header)
	for _, row := range t.Rows {
		if err != nil {
			break
		}
		cells := make([]any, len(row))
		for i, cell := range row {
			if cell != "" {
				cells[i] = cell
			}
		}
		err = w.Row(cells)
	}
	return b.Bytes(), err
}
