package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// cut cuts bytes into pieces of random lengths, some of them empty.
func cut(r *rand.Rand, b []byte) (pieces body) {
	for len(b) > 0 {
		n := min(len(b), r.IntN(largePiece*3/2)*r.IntN(2))
		pieces, b = append(pieces, b[:n]), b[n:]
	}
	return pieces
}

func TestATagNamesTheBytesWhateverThePiecesAndTheCores(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	all, tags := make([]byte, 5*largePiece), make(map[string]int)
	for i := range all {
		all[i] = byte(r.Uint32())
	}
	for _, size := range []int{0, 1, largePiece - 1, largePiece, largePiece + 1, 2*largePiece - 1, 2 * largePiece, 2*largePiece + 1, len(all)} {
		want := body{all[:size]}.tag()
		if other, ok := tags[want]; ok {
			t.Errorf("%d and %d bytes have the same tag", size, other)
		}
		tags[want] = size
		for _, n := range []int{1, 2, 5} {
			before := runtime.GOMAXPROCS(n)
			if got := cut(r, all[:size]).tag(); got != want {
				t.Errorf("%d bytes in pieces on %d cores: %s, want %s", size, n, got, want)
			}
			runtime.GOMAXPROCS(before)
		}
	}
	all[len(all)-1]++
	if tags[body{all}.tag()] != 0 {
		t.Error("another last byte has the same tag")
	}
}

func TestTheTagOfASmallBodyIsTheSumOfItsBytes(t *testing.T) {
	text := bytes.Repeat([]byte("x"), largePiece)
	sum := sha256.Sum256(text)
	if got, want := (body{text}).tag(), `"`+base64.RawURLEncoding.EncodeToString(sum[:16])+`"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A tag is kept by callers for as long as they like: it must not change from one
// version to the next, unless there is a reason.
func TestTheTagOfALargeBodyIsAsItWas(t *testing.T) {
	if got, want := (body{bytes.Repeat([]byte("x"), 2*largePiece+1)}).tag(), `"01J4G5S4gT2jqqgDzkC0sA"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWhatIsWrittenToABodyIsInItsPieces(t *testing.T) {
	var b body
	var want bytes.Buffer
	for i := range 2000 {
		line := bytes.Repeat([]byte{byte(i)}, i)
		if i == 1000 {
			line = bytes.Repeat(line, 300) // more than a piece
		}
		fmt.Fprintf(&b, "%s", line)
		want.Write(line)
	}
	room := 0
	for _, piece := range b {
		room += cap(piece)
	}
	if !bytes.Equal(bytes.Join(b, nil), want.Bytes()) || b.size() != want.Len() || room > want.Len()*6/5 {
		t.Errorf("%d bytes in %d pieces with room for %d, want %d", b.size(), len(b), room, want.Len())
	}
}

func TestAnAnswerOfManyRowsHasAnotherTagIfOneRowIsAnother(t *testing.T) {
	tagOf := func(change func(rows []api.PromptMetric)) string {
		rows := make([]api.PromptMetric, 1000)
		for i := range rows {
			rows[i] = api.PromptMetric{PromptText: fmt.Sprint("question ", i/5), Platform: fmt.Sprint("platform ", i%5)}
		}
		change(rows)
		reply, err := question{}.encode(nil, rows)
		if err != nil || len(reply.body) < 2 {
			t.Fatalf("%v, %d pieces", err, len(reply.body))
		}
		return reply.etag
	}
	first := tagOf(func([]api.PromptMetric) {})
	if again := tagOf(func([]api.PromptMetric) {}); again != first {
		t.Errorf("the same answer has the tags %s and %s", first, again)
	}
	for _, at := range []int{0, 1, 500, 999} {
		if other := tagOf(func(rows []api.PromptMetric) { rows[at].Domain = "acme.com" }); other == first {
			t.Errorf("another row %d has the same tag", at)
		}
	}
}
