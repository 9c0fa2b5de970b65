package encode

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

// copied is an answer that shares no memory with another.
func copied(t interface{ Fatal(...any) }, answer any) any {
	text, err := json.Marshal(answer)
	other := reflect.New(reflect.TypeOf(answer))
	if err == nil {
		err = json.Unmarshal(text, other.Interface())
	}
	if err != nil {
		t.Fatal(err)
	}
	return other.Elem().Interface()
}

func mustWrite(t interface{ Fatal(...any) }, answer any) Line {
	line, err := JSON(answer)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// drawLong draws an answer with more rows than one core writes at a time.
func drawLong(t *rapid.T, of reflect.Type) any {
	return lengthen(reflect.ValueOf(draw(t, of)), share+rapid.IntRange(1, share+1).Draw(t, "rows")).Interface()
}

// leaves are all values in an answer that can be changed.
func leaves(v reflect.Value) (all []reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			all = leaves(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, leaves(v.Index(i))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, leaves(v.Field(i))...)
		}
	}
	if v.CanSet() {
		all = append(all, v)
	}
	return all
}

// The answers differ in one value, be it a whole list.
func TestAnswersThatAreWrittenDifferentlyHaveDifferentSums(t *testing.T) {
	for _, answer := range answers[:4] {
		t.Run(fmt.Sprintf("%T", answer), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				long := drawLong(t, reflect.TypeOf(answer))
				one := reflect.New(reflect.TypeOf(answer)).Elem()
				one.Set(reflect.ValueOf(copied(t, long)))
				before := mustWrite(t, one.Interface())
				all := leaves(one)
				changed := all[rapid.IntRange(0, len(all)-1).Draw(t, "which")]
				was := reflect.New(changed.Type()).Elem()
				was.Set(changed)
				changed.SetZero()
				fill(t, changed)
				after := mustWrite(t, one.Interface())
				alike := bytes.Equal(bytes.Join(before.Pieces, nil), bytes.Join(after.Pieces, nil))
				if !alike && len(before.Pieces) > 1 && bytes.Equal(before.Sum(), after.Sum()) {
					t.Fatalf("%v became %v and has the same sum", was, changed)
				}
			})
		})
	}
}

func TestASumDependsOnTheAnswerAlone(t *testing.T) {
	for _, answer := range answers[:4] {
		t.Run(fmt.Sprintf("%T", answer), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				long := copied(t, drawLong(t, reflect.TypeOf(answer))) // without what JSON cannot hold
				want := mustWrite(t, long).Sum()
				for _, n := range []int{1, 3} {
					before := runtime.GOMAXPROCS(n)
					got := mustWrite(t, copied(t, long)).Sum() // lists that were one are many
					runtime.GOMAXPROCS(before)
					if !bytes.Equal(got, want) {
						t.Fatalf("on %d cores: %x, want %x", n, got, want)
					}
				}
			})
		})
	}
}

// Callers keep tags, which are made of sums. A change to how answers are written
// must change the sums, too: if the text below is another, so must be its sum.
func TestTheSumsOfLargeAnswersAreAsTheyWere(t *testing.T) {
	for _, c := range []struct {
		name      string
		answer    any
		text, sum string
	}{
		{"prompts", manyPrompts(), "a1cc4a6819a7b3cd51789ec9edfcac59", "7c308cc72494be0a8581563477b9be31"},
		{"citations", manyCitations(), "3c655c30280e3e422e5069e87d102086", "8373c168278674d320930aa82ed12028"},
	} {
		for _, n := range []int{1, 3, 40} { // of pieces of different sizes
			t.Run(fmt.Sprintf("%s on %d cores", c.name, n), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
				line := mustWrite(t, c.answer)
				whole := sha256.Sum256(bytes.Join(line.Pieces, nil))
				text, sum := hex.EncodeToString(whole[:16]), hex.EncodeToString(line.Sum()[:16])
				if text != c.text || sum != c.sum {
					t.Errorf("text %s, sum %s; want %s, %s", text, sum, c.text, c.sum)
				}
			})
		}
	}
}

func TestAPieceIsWorthSending(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	line := mustWrite(t, manyPrompts())
	for _, piece := range line.Pieces[1 : len(line.Pieces)-2] { // but for the brackets and the rest
		if len(piece) < pieceSize/2 || len(piece) > pieceSize*2 {
			t.Errorf("a piece of %d bytes", len(piece))
		}
	}
}

func TestALineOfOnePieceHasNoSum(t *testing.T) {
	for _, answer := range []any{[]api.PromptMetric(nil), manyPrompts()[:share], api.CitationResponse{}, []api.Product{}} {
		if line := mustWrite(t, answer); len(line.Pieces) != 1 || line.Sum() != nil {
			t.Errorf("%T: %d pieces, sum %x", answer, len(line.Pieces), line.Sum())
		}
	}
}

// One gist must not be read as another: where a product is known, a name that
// takes its place, and one that comes back must all show.
func TestProductsThatPushEachOtherOutHaveDifferentSums(t *testing.T) {
	var rivals []api.CitationProduct // of one place
	for i := 0; len(rivals) < 3; i++ {
		if name := fmt.Sprint("product ", i); placeOf(name) == 7 {
			rivals = append(rivals, api.CitationProduct{Name: name, Domain: "d.example"})
		}
	}
	sums := make(map[string]string)
	for n := range 81 {
		rows := make([]api.CitationByPage, share+1)
		order := ""
		for i, left := 0, n; i < 4; i, left = i+1, left/3 {
			rows[i].Products = []api.CitationProduct{rivals[left%3]}
			order += fmt.Sprint(left % 3)
		}
		sum := string(mustWrite(t, api.CitationResponse{ByPage: rows}).Sum())
		if other, taken := sums[sum]; taken {
			t.Errorf("%s has the sum of %s", order, other)
		}
		sums[sum] = order
	}
}

func TestAProductThatOccursOnceHasItsNameAndDomainInTheSum(t *testing.T) {
	sums := make(map[string]bool)
	for _, product := range []api.CitationProduct{{Name: "a", Domain: "b"}, {Name: "a", Domain: "c"}, {Name: "ab", Domain: ""}, {Name: "", Domain: "ab"}} {
		rows := make([]api.CitationByPage, share+1)
		rows[5].Products = []api.CitationProduct{product}
		sums[string(mustWrite(t, api.CitationResponse{ByPage: rows}).Sum())] = true
	}
	if len(sums) != 4 {
		t.Errorf("%d sums of 4 answers", len(sums))
	}
}
