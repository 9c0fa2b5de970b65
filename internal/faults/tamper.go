package faults

import (
	"encoding/binary"
	"errors"
	"os"
)

// Layout of a DuckDB file: three headers, then blocks that begin with their sum.
const (
	duckHeaders = 3 * 4096
	duckBlock   = 256 << 10
)

// Tamper breaks the packed numbers in a DuckDB file and makes the sums of its
// blocks right again, so that the engine stumbles while it reads: it fails in a
// way after which it refuses everything. It returns how many places it broke.
func (f *Faults) Tamper(path string) (places int) {
	f.t.Helper()
	text, err := os.ReadFile(path)
	f.must(err)
	for at := duckHeaders; at+duckBlock <= len(text); at += duckBlock {
		if block := text[at : at+duckBlock]; breakNumbers(block[8:]) {
			binary.LittleEndian.PutUint64(block, duckSum(block[8:]))
			places++
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0) // not cut first: whoever looks meanwhile must not see another size
	f.must(err)
	_, err = file.WriteAt(text, 0)
	f.must(errors.Join(err, file.Close()))
	return places
}

// breakNumbers breaks bit-packed numbers wherever they begin in a block. Their
// first word says where the list of groups ends. The list is written backwards:
// its last number is the first group, which begins after that word, and how it is
// packed, 2 to 5.
func breakNumbers(block []byte) (any bool) {
	const word, group = 8, 4
	for at := 0; at+word < len(block); at += word {
		end := binary.LittleEndian.Uint64(block[at:])
		if end < 2*word || end > uint64(len(block)-at) {
			continue
		}
		first := block[at+int(end)-group:][:group]
		if first[0] == word && first[1] == 0 && first[2] == 0 && 2 <= first[3] && first[3] <= 5 {
			first[3], any = 0x7f, true
		}
	}
	return any
}

// duckSum is the sum that DuckDB keeps of a block.
func duckSum(block []byte) uint64 {
	sum := uint64(5381)
	for ; len(block) >= 8; block = block[8:] {
		sum ^= binary.LittleEndian.Uint64(block) * 0xbf58476d1ce4e5b9
	}
	return sum
}
