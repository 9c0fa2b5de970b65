package web

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"time"
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
			body := encodeCSV(t)
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

func encodeCSV(t table) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = defuse(cell)
		}
		w.Write(safe)
	}
	w.Flush()
	return b.Bytes()
}

// defuse keeps spreadsheets from running what somebody wrote into a prompt or
// a URL. No figure of ours begins like a formula.
func defuse(cell string) string {
	if strings.IndexAny(cell, "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + cell
	}
	return cell
}
