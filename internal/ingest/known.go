package ingest

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// known lists what was loaded before. A stream has no content to go by.
func (j *Job) known(ctx context.Context) ([]facts.Input, error) {
	if j.Piece != nil {
		return nil, nil
	}
	return j.Loader.Inputs(ctx, j.Source.Kind())
}

// An input is remembered by its name and by the website that was named for all
// of its lines: access.log (--website w-acme).
const websiteFlag = " (--website "

func (j *Job) called(in *input) string {
	if j.Log.Website == "" {
		return in.name
	}
	return in.name + websiteFlag + j.Log.Website + ")"
}

// knownAs says when, and for which website, an input was loaded.
func (in *input) knownAs(before facts.Input) KnownFile {
	k := KnownFile{Name: in.name, At: before.At}
	if at := strings.LastIndex(before.Name, websiteFlag); at >= 0 {
		k.Website = strings.TrimSuffix(before.Name[at+len(websiteFlag):], ")")
	}
	return k
}

// match is what of an input was loaded before.
type match struct {
	input facts.Input // the longest one that it begins with; empty: none
	whole bool        // it is all of that
	// of is an input that begins as this one does and is longer: this is a copy
	// of its beginning.
	of *facts.Input
}

// match looks for what of an input was loaded before. A log is recognised so
// after it has grown, was rotated or compressed, and so is a copy that is not
// complete yet. Of a new input, it reads little more than the beginning.
func (in *input) match(ctx context.Context, known []facts.Input, p *progress) (m match, err error) {
	if len(known) == 0 {
		return m, nil
	}
	content, err := in.content(ctx, nil)
	if err != nil {
		return m, err
	}
	defer content.Close()
	sum := newMarkedSum()
	left := slices.Clone(known) // those that this may begin with, or be the beginning of
	for len(left) > 0 {
		p.job.progress(Progress{Checking: true})
		length := sum.next
		for _, k := range left {
			length = min(length, k.Bytes)
		}
		_, err := io.CopyN(sum, content, length-sum.bytes)
		switch {
		case errors.Is(err, io.EOF):
			m.whole = m.input.Bytes > 0 && m.input.Bytes == sum.bytes
			if len(sum.marks) > 0 && !m.whole {
				m.of = &left[0]
			}
			return m, nil
		case err != nil:
			return m, unpacking(err)
		}
		digest := sum.hex()
		left = slices.DeleteFunc(left, func(k facts.Input) bool {
			if k.Bytes == length {
				if k.SHA256 == digest && content.betweenRecords(sum.last) {
					m.input = k
				}
				return true
			}
			return !agrees(k.Marks, sum.marks)
		})
	}
	_, err = io.CopyN(sum, content, 1)
	m.whole = errors.Is(err, io.EOF) && m.input.Bytes > 0 && m.input.Bytes == sum.bytes
	return m, nil
}

// agrees says whether the sums of two beginnings are the same as far as the
// shorter one goes.
func agrees(longer, shorter []facts.Mark) bool {
	return len(longer) >= len(shorter) && slices.Equal(longer[:len(shorter)], shorter)
}
