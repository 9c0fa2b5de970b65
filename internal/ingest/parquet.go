package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sightline-hq/sightline/internal/parquet"
)

// parquet reads the rows of a Parquet file as lines of JSON.
func (in *input) parquet(ctx context.Context, p *progress) (lines io.Reader, stop func(), err error) {
	if in.source == Logs {
		return nil, nil, errors.New("the file is Parquet, which is no log: load it as pageviews, or as answers")
	}
	// The file may have no name, so it is named by its number.
	file, err := parquet.Open(ctx, fmt.Sprintf("/proc/self/fd/%d", in.file.Fd()), fieldNames[in.source].all)
	if err != nil {
		return nil, nil, err
	}
	if err := missingColumns("Parquet file", file.Columns(), in.source); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	if file.Rows() == 0 {
		return nil, nil, errors.Join(errors.New("the Parquet file has no rows: there is nothing to load"), file.Close())
	}
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := file.Each(ctx, func(row int64, object []byte) error {
			if p != nil {
				p.bytes.Add(in.size*row/file.Rows() - in.size*(row-1)/file.Rows())
			}
			_, err := w.Write(append(object, '\n'))
			return err
		})
		w.CloseWithError(errors.Join(err, file.Close()))
	}()
	return r, func() { r.CloseWithError(io.ErrClosedPipe); <-done }, nil
}
