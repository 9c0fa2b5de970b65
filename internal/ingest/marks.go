package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/sightline-hq/sightline/internal/facts"
)

// firstMark is where the first sum of an input's beginning is taken; further
// ones are at twice the length of the one before.
const firstMark = 4 << 10

// markedSum sums an input and notes the sums of its beginnings, by which a
// shorter copy of it is recognised.
type markedSum struct {
	sum   hash.Hash
	bytes int64
	next  int64
	marks []facts.Mark
	last  byte
}

func newMarkedSum() *markedSum { return &markedSum{sum: sha256.New(), next: firstMark} }

// Write implements io.Writer.
func (m *markedSum) Write(p []byte) (int, error) {
	size := len(p)
	if size > 0 {
		m.last = p[size-1]
	}
	for int64(len(p)) >= m.next-m.bytes {
		n := m.next - m.bytes
		m.sum.Write(p[:n])
		m.bytes += n
		p = p[n:]
		m.marks = append(m.marks, facts.Mark{Bytes: m.bytes, SHA256: m.hex()})
		m.next *= 2
	}
	m.sum.Write(p)
	m.bytes += int64(len(p))
	return size, nil
}

func (m *markedSum) hex() string { return hex.EncodeToString(m.sum.Sum(nil)) }
