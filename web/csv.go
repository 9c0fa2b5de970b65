package web

import (
	"bytes"
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/export"
)

// download sends a table of a page as a file. A page can show its defaults beside
// what it did not understand; a file cannot, so it is refused.
func (d *Dashboard) download(v view) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, loaded, trouble := d.load(r, v, v.path)
		switch {
		case trouble != nil:
			d.plain(w, trouble)
			return
		case len(s.problems) > 0:
			http.Error(w, "This address was not understood. "+strings.Join(s.problems, ". ")+".", http.StatusBadRequest)
			return
		case loaded.content == nil:
			http.Error(w, "This key sees no products yet.", http.StatusNotFound)
			return
		}
		name := r.URL.Query().Get("table")
		for _, t := range loaded.content.tables() {
			if t.ID == name {
				d.sendTable(w, r, t, fileName(v, loaded, t.ID))
				return
			}
		}
		http.Error(w, "This page has no such table.", http.StatusNotFound)
	})
}

func (d *Dashboard) sendTable(w http.ResponseWriter, r *http.Request, t table, name string) {
	if t.Trouble != nil {
		d.plain(w, t.Trouble)
		return
	}
	body, err := encodeCSV(t)
	if err != nil {
		http.Error(w, "The table could not be written.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	send(w, r, http.StatusOK, "text/csv; charset=utf-8", body)
}

// fileName says whose figures a file holds, which, and of when: files of two
// products, or of two groupings, lie side by side.
func fileName(v view, l *loaded, table string) string {
	parts := []string{"sightline", cmp.Or(plainName(l.product.Name), strconv.FormatInt(l.product.ID, 10)), v.name}
	if table != v.name {
		parts = append(parts, table)
	}
	switch {
	case v.name == "citations":
		parts = append(parts, "by", string(l.GroupBy))
	case v.name == "prompts" && l.View == "platform":
		parts = append(parts, "by", "platform")
	case v.name == "traffic" && l.Interval == api.Week:
		parts = append(parts, "by", "week")
	}
	return strings.Join(append(parts, l.Window.From.UTC().Format(time.DateOnly), l.Window.To.UTC().Format(time.DateOnly)), "-") + ".csv"
}

// longestName keeps file names within what every system takes.
const longestName = 40

// plainName is a name in the letters that no system and no header minds.
func plainName(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	name := strings.Join(words, "-")
	return strings.TrimSuffix(name[:min(len(name), longestName)], "-")
}

func (d *Dashboard) plain(w http.ResponseWriter, t *trouble) {
	status := http.StatusBadGateway
	if t.Refused {
		status = http.StatusBadRequest
	}
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
