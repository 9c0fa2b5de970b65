package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// answers are the types that are written by hand, and one that is not.
var answers = []any{[]PromptMetric(nil), []DailyPromptMetric(nil), CitationResponse{}, TimeseriesResponse{}, &TimeseriesItem{}, []Product(nil)}

func standard(t interface{ Fatal(...any) }, answer any) []byte {
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(want.Bytes(), []byte{'\n'})
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

func TestAnswersAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	for _, answer := range answers {
		t.Run(fmt.Sprintf("%T", answer), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := reflect.New(reflect.TypeOf(answer)).Elem()
				if v.Kind() == reflect.Pointer {
					v.Set(reflect.New(v.Type().Elem()))
					fill(t, v.Elem())
				} else {
					fill(t, v)
				}
				got, err := AppendJSON([]byte("before"), v.Interface())
				if want := append([]byte("before"), standard(t, v.Interface())...); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("got %s, %v\nwant %s", got, err, want)
				}
			})
		})
	}
}

func manyPrompts() []PromptMetric {
	rows := make([]PromptMetric, 12000)
	for i := range rows {
		position, visibility, n := 1+float64(i%7)/3, float64(i%30)/30, int64(i%40)
		rows[i] = PromptMetric{PromptText: fmt.Sprint("which is the best thing number ", i), Platform: "openai", Domain: "acme.com",
			Position: &position, Visibility: &visibility, Rank: &n, RunCount: &n, Labels: []PromptLabel{{1, "brand"}}}
	}
	return rows
}

func manyCitations() (c CitationResponse) {
	for i := range 5000 {
		page := CitationByPage{Domain: "site.example", URL: fmt.Sprint("https://site.example/articles/", i), Count: int64(i)}
		for n := range 30 {
			page.Products = append(page.Products, CitationProduct{fmt.Sprint("Product number ", n), "product.example"})
		}
		c.ByPage = append(c.ByPage, page)
	}
	return c
}

func TestManyRowsAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	prompts := manyPrompts()
	for name, answer := range map[string]any{
		"prompts": prompts, "an odd number": prompts[:manyRows+1], "just enough": prompts[:manyRows], "just not": prompts[:manyRows-1],
		"citations": manyCitations(),
	} {
		if got, err := AppendJSON(nil, answer); err != nil || !bytes.Equal(got, standard(t, answer)) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// go test ./api -bench JSON shows what writing by hand is worth.
func BenchmarkJSON(b *testing.B) {
	for _, answer := range []any{manyPrompts(), manyCitations()} {
		var to []byte
		b.Run(fmt.Sprintf("%T/ours", answer), func(b *testing.B) {
			for b.Loop() {
				to, _ = AppendJSON(to[:0], answer)
			}
			b.SetBytes(int64(len(to)))
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
