package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
)

// echo notes what it reads.
type echo struct {
	lines
	read_ func(text []byte, line int64)
}

func (e echo) read(text []byte, _ *desk, r *results) { e.read_(text, r.line) }

// splitAll splits a text and returns its records with their line numbers.
func splitAll(t interface{ Fatal(...any) }, language language, text string, before facts.Input, whole bool, got func(n int64)) *splitter {
	line := int64(0)
	s := &splitter{from: iotest.HalfReader(strings.NewReader(text)), language: language, sum: newMarkedSum()}
	s.emit = func(b *block) error {
		b.read(nil)
		got(line)
		line += b.lines
		return nil
	}
	if err := s.all(before, whole); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryRecordIsReadOnceWithItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"", "a", "bb", " ", "x\r", strings.Repeat("long", 80_000), strings.Repeat("l", blockBytes-1)})).Draw(t, "lines")
		text := strings.Join(words, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		whole := rapid.Bool().Draw(t, "whole")
		var want []string
		complete := 0
		for i, line := range strings.SplitAfter(text, "\n") {
			if !strings.HasSuffix(line, "\n") && !whole {
				break
			}
			complete += len(line)
			if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
				want = append(want, fmt.Sprint(i+1, " ", len(line)))
			}
		}
		var got []string
		var inBlock []string
		language := plain{echo{read_: func(text []byte, line int64) { inBlock = append(inBlock, fmt.Sprint(line, " ", len(text))) }}}
		s := splitAll(t, language, text, facts.Input{}, whole, func(before int64) {
			for _, record := range inBlock {
				var line int64
				var size int
				fmt.Sscan(record, &line, &size)
				got = append(got, fmt.Sprint(before+line+1, " ", size))
			}
			inBlock = nil
		})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		sum := sha256.Sum256([]byte(text[:complete]))
		if s.sum.bytes != int64(complete) || s.sum.hex() != hex.EncodeToString(sum[:]) {
			t.Fatalf("%d bytes were summed, want %d", s.sum.bytes, complete)
		}
		for _, m := range s.sum.marks {
			if m.SHA256 != hexSum(text[:m.Bytes]) {
				t.Fatalf("the mark at %d is wrong", m.Bytes)
			}
		}
	})
}

func TestWhatWasLoadedBeforeIsSkipped(t *testing.T) {
	const old, fresh = "#Fields: a\none\ntwo\n", "three\n#Fields: b\nfour\n"
	var records []string
	count := func(text []byte, _ int64) { records = append(records, string(text)) }
	before := facts.Input{Bytes: int64(len(old)), SHA256: hexSum(old)}
	splitAll(t, plain{echo{read_: count}}, old+fresh, before, true, func(int64) {})
	if got := fmt.Sprint(records); got != "[three #Fields: b four]" {
		t.Errorf("read %s", got)
	}
	s := &splitter{from: strings.NewReader("#Fields: a\none\nTWO\n" + fresh), language: plain{echo{read_: count}}, sum: newMarkedSum(),
		emit: func(*block) error { return nil }}
	if err := s.all(before, true); err != errChanged {
		t.Errorf("a file that changed meanwhile: %v", err)
	}
}

func hexSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// endless gives out the same byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestALineOfAGigabyteIsRejectedInLittleMemory(t *testing.T) {
	from := io.MultiReader(strings.NewReader("one\n"), io.LimitReader(endless('x'), 1<<30), strings.NewReader("\ntwo\n"))
	var records []string
	var tooLong, largest int
	language := plain{echo{read_: func(text []byte, _ int64) { records = append(records, string(text)) }}}
	s := &splitter{from: from, language: language, sum: newMarkedSum(), emit: func(b *block) error {
		b.read(nil)
		tooLong += len(b.results.rejected)
		largest = max(largest, cap(b.buffer))
		return nil
	}}
	if err := s.all(facts.Input{}, true); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(records) != "[one two]" || tooLong != 1 {
		t.Errorf("read %.50v, %d lines too long", records, tooLong)
	}
	if largest > 4*maxRecord || cap(s.rest) > 4*maxRecord {
		t.Errorf("a block of %d MiB, %d MiB kept", largest>>20, cap(s.rest)>>20)
	}
}
