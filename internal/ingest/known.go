package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// knownInputs is what was loaded before, by length.
type knownInputs map[int64][]facts.Input

// known lists what was loaded before. A stream has no content to go by.
func (j *Job) known(ctx context.Context) (knownInputs, error) {
	known := make(knownInputs)
	if j.Piece != nil {
		return known, nil
	}
	inputs, err := j.Loader.Inputs(ctx, j.Source.Kind())
	for _, in := range inputs {
		known.add(in)
	}
	return known, err
}

func (k knownInputs) add(in facts.Input) { k[in.Bytes] = append(k[in.Bytes], in) }

// match is what of an input was loaded before: nothing, its first part, or all.
type match struct {
	input facts.Input
	whole bool
}

// match looks for the longest first part of an input that was loaded before.
// A log is recognised so after it has grown, was rotated or compressed. It
// reads no further than the longest known input is long.
func (in *input) match(ctx context.Context, known knownInputs, p *progress) (m match, err error) {
	lengths := slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(n int64) bool { return n > in.most })
	if len(lengths) == 0 {
		return m, nil
	}
	content, err := in.content(ctx, nil)
	if err != nil {
		return m, err
	}
	defer content.Close()
	sum, read := sha256.New(), int64(0)
	for _, length := range lengths {
		p.job.progress(Progress{Checking: true})
		n, err := io.CopyN(sum, content, length-read)
		if read += n; errors.Is(err, io.EOF) {
			return m, nil
		} else if err != nil {
			return m, unpacking(err)
		}
		digest := hex.EncodeToString(sum.Sum(nil))
		for _, k := range known[length] {
			if k.SHA256 == digest {
				m.input = k
			}
		}
	}
	_, err = io.CopyN(sum, content, 1)
	m.whole = errors.Is(err, io.EOF) && m.input.Bytes == read
	return m, nil
}
