package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"

	"github.com/sightline-hq/sightline/internal/cores"
)

// body is what is sent, in pieces one behind the other: what has megabytes is
// not copied while it grows.
type body [][]byte

const (
	firstPiece = 4 << 10
	// largePiece is how much is written to a piece at most, and how much of a body
	// is summed at once. The tags of larger ones depend on it.
	largePiece = 256 << 10
)

func (b body) size() (n int) {
	for _, piece := range b {
		n += len(piece)
	}
	return n
}

// Write implements io.Writer.
func (b *body) Write(p []byte) (int, error) {
	last := len(*b) - 1
	if last < 0 || len((*b)[last])+len(p) > cap((*b)[last]) {
		room := firstPiece
		if last >= 0 {
			room = min(2*cap((*b)[last]), largePiece)
		}
		*b = append(*b, make([]byte, 0, max(room, len(p))))
		last++
	}
	(*b)[last] = append((*b)[last], p...)
	return len(p), nil
}

// parts cuts a body into parts of a size; the last may be smaller.
func (b body) parts(size int) (all []body) {
	var part body
	room := size
	for _, piece := range b {
		for len(piece) > room {
			all = append(all, append(part, piece[:room]))
			part, piece, room = nil, piece[room:], size
		}
		part, room = append(part, piece), room-len(piece)
	}
	return append(all, part)
}

// tag names a body by the sum of its bytes; a large one by the sum of the sums of
// its parts, which are made on all cores. It does not depend on its pieces.
func (b body) tag() string {
	parts := b.parts(largePiece)
	sums := make([][]byte, len(parts))
	cores.Each(len(parts), func() func(int) {
		sum := sha256.New()
		return func(i int) {
			sum.Reset()
			for _, piece := range parts[i] {
				sum.Write(piece)
			}
			sums[i] = sum.Sum(nil)
		}
	})
	all := sums[0]
	if len(sums) > 1 {
		of := sha256.Sum256(bytes.Join(sums, nil))
		all = of[:]
	}
	return tagOf(all)
}

func tagOf(sum []byte) string { return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"` }
