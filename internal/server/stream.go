package server

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/encode"
	"github.com/sightline-hq/sightline/internal/export"
	"github.com/sightline-hq/sightline/internal/report"
)

// holdBack is how much of a streamed answer waits before the first byte is
// sent: an error until then is still the 500.
const holdBack = 256 << 10

// stream sends a large page while its rows are read, byte for byte what
// encoding it whole would give. The timer, which ends queries that take too
// long, is stopped when rows come. When the last one was read, release is called:
// what the reader has not taken by then waits for it outside the engine. An error
// after the first byte cuts the connection, so that nobody takes half a page for
// a whole one.
func (q question) stream(w http.ResponseWriter, r *http.Request, format *export.Format, page *report.TimeseriesPage, timer *time.Timer, release func()) error {
	begin := func() {
		setHeaders(w.Header())
		set(w.Header(), q.headers(format, page))
	}
	if r.Method == http.MethodHead {
		page.Discard()
		begin()
		w.WriteHeader(http.StatusOK)
		return nil
	}
	to := newSender(w, begin)
	defer to.stop()
	out := &held{w: to}
	err := q.writeRows(out, format, page, timer)
	if err == nil {
		err = out.flush()
	}
	release()
	if err = to.finish(err); err != nil && to.sent {
		noteOf(r).err = err
		panic(http.ErrAbortHandler)
	}
	return err
}

// writeRows writes a page in the form that was asked for.
func (q question) writeRows(w io.Writer, format *export.Format, page *report.TimeseriesPage, timer *time.Timer) error {
	if format == nil {
		return streamJSON(w, page.TimeseriesResponse, func(each func(*api.TimeseriesItem) error) error {
			return page.Each(func(item *api.TimeseriesItem) error {
				timer.Stop()
				return each(item)
			})
		})
	}
	table := q.table(page)
	rows := table.Each
	table.Each = func(row func([]any) error) error {
		return rows(func(values []any) error {
			timer.Stop()
			return row(values)
		})
	}
	return format.Write(w, table)
}

// streamJSON writes a page with its items in their place.
func streamJSON(w io.Writer, page api.TimeseriesResponse, items func(each func(*api.TimeseriesItem) error) error) error {
	line, err := encode.JSON(page)
	if err != nil {
		return err
	}
	envelope := bytes.Join(line.Pieces, nil)
	const end = "]}\n" // the items belong before it
	var text []byte
	if _, err := w.Write(envelope[:len(envelope)-len(end)]); err != nil {
		return err
	}
	err = items(func(item *api.TimeseriesItem) error {
		text = encode.Item(text, item)
		_, err := w.Write(text)
		text = append(text[:0], ',')
		return err
	})
	if err == nil {
		_, err = io.WriteString(w, end)
	}
	return err
}

// held is a writer to which bytes go in large pieces.
type held struct {
	w      io.Writer
	buffer bytes.Buffer
}

func (h *held) Write(p []byte) (int, error) {
	h.buffer.Write(p)
	if h.buffer.Len() < holdBack {
		return len(p), nil
	}
	return len(p), h.flush()
}

func (h *held) flush() error {
	_, err := h.w.Write(h.buffer.Bytes())
	h.buffer.Reset()
	return err
}
