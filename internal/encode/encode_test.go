package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

// answers are the types that are written by hand, and one that is not.
var answers = []any{[]api.PromptMetric(nil), []api.DailyPromptMetric(nil), api.CitationResponse{}, api.TimeseriesResponse{}, &api.TimeseriesItem{}, []api.Product(nil)}

func standard(t interface{ Fatal(...any) }, answer any) []byte {
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		t.Fatal(err)
	}
	return want.Bytes()
}

// fill draws a value for everything in an answer. All fields are reached by
// reflection, so that a field that the encoder does not know is noticed.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.OneOf(rapid.StringMatching(`[a-z/.]{0,9}`), rapid.String(),
			rapid.SampledFrom([]string{"<&>", "a\"b\\", "\u2028\u2029", "\xff", "\x00\b\f\n\x7f", "naïve 世界"})).Draw(t, "text"))
	case reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64(), rapid.SampledFrom([]float64{0, 1, 1e-7, 1e21, 1.0 / 3})).Draw(t, "float"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		if n := rapid.IntRange(-1, 3).Draw(t, "length"); n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(t, v.Index(i))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatalf("nothing is drawn for %s", v.Type())
	}
}

// draw draws an answer of a type.
func draw(t *rapid.T, of reflect.Type) any {
	v := reflect.New(of).Elem()
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(of.Elem()))
		fill(t, v.Elem())
	} else {
		fill(t, v)
	}
	return v.Interface()
}

func TestAnswersAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	for _, answer := range answers {
		t.Run(fmt.Sprintf("%T", answer), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { check(t, draw(t, reflect.TypeOf(answer))) })
		})
	}
}

func TestAnItemIsAppendedToWhatThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item := draw(t, reflect.TypeFor[*api.TimeseriesItem]()).(*api.TimeseriesItem)
		if got, want := string(Item([]byte("before"), item))+"\n", "before"+string(standard(t, item)); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	})
}

func check(t interface{ Fatal(...any) }, answer any) {
	line, err := JSON(answer)
	got, want := bytes.Join(line.Pieces, nil), standard(t, answer)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatal(fmt.Sprintf("%d bytes in %d pieces, %v; want %d bytes:\n%.2000s\nwant\n%.2000s", len(got), len(line.Pieces), err, len(want), got, want))
	}
}

// lengthen repeats the elements of every list that an answer has many rows in,
// until there are n.
func lengthen(v reflect.Value, n int) reflect.Value {
	switch {
	case v.Kind() == reflect.Slice && v.Len() > 0:
		long := reflect.MakeSlice(v.Type(), n, n)
		for i := range n {
			long.Index(i).Set(v.Index(i % v.Len()))
		}
		return long
	case v.Kind() == reflect.Struct:
		all := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			all.Field(i).Set(lengthen(v.Field(i), n))
		}
		return all
	}
	return v
}

func TestListsAroundTheBordersOfSharesAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	for _, n := range []int{1, 3} {
		t.Run(fmt.Sprintf("on %d cores", n), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			for i, answer := range answers[:4] {
				short := rapid.Custom(func(t *rapid.T) any { return draw(t, reflect.TypeOf(answer)) }).Example(7 * i)
				for _, rows := range []int{share - 1, share, share + 1, 2*share - 1, 2 * share, 2*share + 1, 5*share + 1} {
					check(t, lengthen(reflect.ValueOf(short), rows).Interface())
				}
			}
		})
	}
}

func TestProductsThatDifferInOneThingOnlyAreToldApart(t *testing.T) {
	var page api.CitationByPage
	for i := range 1000 {
		page.Products = append(page.Products,
			api.CitationProduct{Name: fmt.Sprint("n", i%7), Domain: fmt.Sprint("d", i%300)},
			api.CitationProduct{Name: fmt.Sprint("n", i%11), Domain: fmt.Sprint("d", i%300)}, api.CitationProduct{})
	}
	check(t, api.CitationResponse{ByPage: []api.CitationByPage{page, page, {}, {Products: []api.CitationProduct{}}}})
}

func manyPrompts() []api.PromptMetric {
	rows := make([]api.PromptMetric, 12000)
	for i := range rows {
		position, visibility, n := 1+float64(i%7)/3, float64(i%30)/30, int64(i%40)
		rows[i] = api.PromptMetric{PromptText: fmt.Sprint("which is the best thing number ", i), Platform: "openai", Domain: "acme.com",
			Position: &position, Visibility: &visibility, Rank: &n, RunCount: &n, Labels: []api.PromptLabel{{ID: 1, Name: "brand"}}}
	}
	return rows
}

func manyCitations() (c api.CitationResponse) {
	for i := range 5000 {
		page := api.CitationByPage{Domain: "site.example", URL: fmt.Sprint("https://site.example/articles/", i), Count: int64(i)}
		for n := range 30 {
			page.Products = append(page.Products, api.CitationProduct{Name: fmt.Sprint("Product number ", n), Domain: "product.example"})
		}
		c.ByPage = append(c.ByPage, page)
	}
	return c
}

func TestManyRowsAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	check(t, manyPrompts())
	check(t, manyCitations())
}

func TestALargeAnswerTakesLittleMoreRoomThanItHasBytes(t *testing.T) {
	line, err := JSON(manyCitations())
	size, room := 0, 0
	for _, p := range line.Pieces {
		size, room = size+len(p), room+cap(p)
	}
	if err != nil || room > size*11/10 {
		t.Errorf("%d bytes have room for %d, %v", size, room, err)
	}
}

// go test ./internal/encode -bench JSON shows what writing by hand is worth.
func BenchmarkJSON(b *testing.B) {
	for _, answer := range []any{manyPrompts(), manyCitations()} {
		b.Run(fmt.Sprintf("%T/ours", answer), func(b *testing.B) {
			b.SetBytes(int64(len(standard(b, answer))))
			for b.Loop() {
				JSON(answer)
			}
		})
		b.Run(fmt.Sprintf("%T/encoding-json", answer), func(b *testing.B) {
			for b.Loop() {
				b.SetBytes(int64(len(standard(b, answer))))
			}
		})
	}
}

func TestOneSpecialByteAnywhereIsSeen(t *testing.T) {
	for b := range 256 {
		want := b >= ' ' && b != '"' && b != '\\' && b < 0x80
		for at := range 19 {
			text := []byte("/docs/get-started/1")
			text[at] = byte(b)
			if plain(string(text)) != want {
				t.Fatalf("byte %#x at %d: plain is %v", b, at, !want)
			}
		}
	}
}
