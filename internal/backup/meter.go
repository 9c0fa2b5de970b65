package backup

import (
	"context"
	"io"
)

// Progress is told of the file that is worked on, and how many bytes of all are
// done: at the beginning of each file, and while it is read.
type Progress func(path string, done, all int64)

// meter counts what is read.
type meter struct {
	tell      Progress // may be nil
	path      string
	done, all int64
}

// begin turns to a file when so many bytes are done: those that were there and
// did not have to be read count, too.
func (m *meter) begin(path string, done int64) {
	m.path, m.done = path, done
	m.add(0)
}

func (m *meter) add(n int) {
	m.done = min(m.done+int64(n), m.all) // a file that is damaged may be longer
	if m.tell != nil {
		m.tell(m.path, m.done, m.all)
	}
}

// reader reads until somebody has lost patience, and counts.
type reader struct {
	ctx   context.Context
	from  io.Reader
	meter *meter
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.meter.add(n)
	return n, err
}
