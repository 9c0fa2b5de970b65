package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/report"
)

// holdBack is how much of a streamed answer waits before the first byte is
// sent: an error until then is still the 500.
const holdBack = 256 << 10

// stream sends a large page while its rows are read, byte for byte what
// encoding it whole would give. The timer, which ends queries that take too
// long, is stopped when rows come: from then on the connection's own limit
// counts. An error after the first byte cuts the connection, so that nobody
// takes half a page for a whole one.
func stream(w http.ResponseWriter, r *http.Request, page *report.TimeseriesPage, timer *time.Timer) error {
	setHeaders(w.Header())
	if r.Method == http.MethodHead {
		page.Discard()
		w.WriteHeader(http.StatusOK)
		return nil
	}
	var held bytes.Buffer
	encoder := json.NewEncoder(&held)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(page.TimeseriesResponse); err != nil {
		return err
	}
	held.Truncate(held.Len() - len("]}\n")) // the items belong here
	sent, first := false, true
	send := func() error {
		sent = true
		_, err := w.Write(held.Bytes())
		held.Reset()
		return err
	}
	err := page.Stream(func(item *api.TimeseriesItem) error {
		timer.Stop()
		if !first {
			held.WriteByte(',')
		}
		first = false
		if err := encoder.Encode(item); err != nil {
			return err
		}
		held.Truncate(held.Len() - len("\n"))
		if held.Len() < holdBack {
			return nil
		}
		return send()
	})
	if err == nil {
		held.WriteString("]}\n")
		err = send()
	}
	if err != nil && sent {
		noteOf(r).err = err
		panic(http.ErrAbortHandler)
	}
	return err
}
