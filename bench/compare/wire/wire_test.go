package wire

import (
	"slices"
	"testing"
)

func TestTheBytesThatAreAskedForCome(t *testing.T) {
	s, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, piece - 1, piece, piece + 1, 5 * piece, 17} {
		if took, err := s.Send(t.Context(), n); err != nil || took <= 0 {
			t.Errorf("%d bytes took %s: %v", n, took, err)
		}
	}
	if _, err := s.Send(t.Context(), -1); err == nil {
		t.Error("-1 bytes were sent")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if slices.Max(bytes) != 0 {
		t.Error("what is sent was written to")
	}
}
