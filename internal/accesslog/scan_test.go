package accesslog

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pickAll reads what paths find in a line.
func pickAll(line string, paths ...string) ([]string, bool) {
	tree := newTree()
	var slots []int
	for _, path := range paths {
		steps, err := parsePath(path)
		if err != nil {
			panic(err)
		}
		slots = append(slots, tree.add(steps))
	}
	var h Hit
	s := scanner{data: []byte(line), picked: &h.picked}
	if !s.document(&tree.root) {
		return nil, false
	}
	var texts []string
	for _, slot := range slots {
		v := h.picked[slot]
		text := string(v.text)
		if v.escaped {
			text = string(appendString(nil, v.text))
		}
		texts = append(texts, text)
	}
	return texts, true
}

func TestPathsFindTheirValues(t *testing.T) {
	for _, c := range []struct{ name, line, path, want string }{
		{"top", `{"a":"x"}`, "a", "x"},
		{"inside", `{"a":{"b":{"c":"x"}}}`, "a.b.c", "x"},
		{"after others", `{"z":{"b":"y"},"y":[1,{"a":2}],"a":{"x":{},"b":"x"}}`, "a.b", "x"},
		{"white space", " { \"a\" :\t{ \"b\" : \"x\" } , \"c\" : [ ] } \r", "a.b", "x"},
		{"number", `{"a":-1.5e+3}`, "a", "-1.5e+3"},
		{"index", `{"a":["x","y"]}`, "a[1]", "y"},
		{"index of an index", `{"a":[[],["x",["y"]]]}`, "a[1][1][0]", "y"},
		{"object in a list", `{"a":[{"b":"x"},{"b":"y"}]}`, "a[1].b", "y"},
		{"a list stands for its first", `{"a":["x","y"]}`, "a", "x"},
		{"an empty list stands for nothing", `{"a":[]}`, "a", ""},
		{"a list of lists stands for nothing", `{"a":[["x"]]}`, "a", ""},
		{"index past the end", `{"a":["x"]}`, "a[1]", ""},
		{"the last of equal keys", `{"a":"x","a":"y"}`, "a", "y"},
		{"dot in a key", `{"a.b":{"c[0]":"x"}}`, `a\.b.c\[0\]`, "x"},
		{"backslash in a key", `{"a\\b":"x"}`, `a\\b`, "x"},
		{"escapes in a key", `{"\u0061\/b":"x"}`, "a/b", "x"},
		{"hyphen in a key", `{"h":{"User-Agent":"x"}}`, "h.User-Agent", "x"},
		{"escapes", `{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE80"}`, "a", "\"\\/\b\f\n\r\té🚀"},
		{"lone surrogates", `{"a":"\ud83d \ude80\ud83dx\ud83d\u0041"}`, "a", "\uFFFD \uFFFD\uFFFDx\uFFFDA"},
		{"lone surrogate before text", `{"a":"\ud83dabde80"}`, "a", "\uFFFDabde80"},
		{"object where a value is wanted", `{"a":{"b":1}}`, "a", ""},
		{"value where an object is wanted", `{"a":1}`, "a.b", ""},
		{"long key", `{"` + strings.Repeat("k", 64) + `":"y","":"z","` + strings.Repeat("k", 100) + `":"x"}`, strings.Repeat("k", 100), "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := pickAll(c.line, c.path)
			if !ok || got[0] != c.want {
				t.Errorf("%s of %s is %q, %v; want %q", c.path, c.line, got, ok, c.want)
			}
		})
	}
}

func TestPathsThatShareAWayAreWalkedOnce(t *testing.T) {
	got, ok := pickAll(`{"a":{"b":"1","c":["2","3"]},"d":"4"}`, "a.b", "a.c[1]", "d", "a.c", "a.b")
	if want := "1 3 4 2 1"; !ok || strings.Join(got, " ") != want {
		t.Errorf("found %q, %v; want %q", got, ok, want)
	}
}

func TestInvalidJSONIsRefused(t *testing.T) {
	for _, line := range []string{
		`{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{"a" 1}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`,
		`{"a":-}`, `{"a":1e}`, `{"a":1e+}`, `{"a":+1}`, `{"a":tru}`, `{"a":nul}`, `{"a":falsy}`, `{"a":[1,]}`, `{"a":[1 2]}`, `{"a":[`, `{"a":]}`,
		`{"a":"x}`, `{"a":"\q"}`, `{"a":"\u12"}`, `{"a":"\u12g4"}`, `{"a":"\`, "{\"a\":\"\t\"}", "{\"a\":\"\x00\"}", `{"a":1}}`, `{"a":1} x`, `[]`, `1`, `"x"`,
		`{"a":"\x41"}`, "{\"a\":1\v}",
	} {
		if _, ok := pickAll(line, "a"); ok {
			t.Errorf("%s is read", line)
		}
		if json.Valid([]byte(line)) && line[0] == '{' {
			t.Errorf("%s is not a good case", line)
		}
	}
	for _, c := range []struct{ open, close string }{{`{"a":`, `}`}, {`[`, `]`}} {
		deep := `{"a":` + strings.Repeat(c.open, 1<<16) + "1" + strings.Repeat(c.close, 1<<16) + `}`
		if _, ok := pickAll(deep, "a"); ok {
			t.Error("a line that nests too deeply is read")
		}
	}
}

// jsonValues draws JSON values, as Go values.
func jsonValues(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Float64().AsAny(), rapid.Int64().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
		rapid.StringMatching(`[ -~]{0,40}`).AsAny(), rapid.SampledFrom([]string{`"`, `\`, "\x7f", "é", "🚀", "\u2028", "<&>"}).AsAny(),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	keys := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.String())
	return rapid.OneOf(append(scalars,
		rapid.SliceOfN(jsonValues(depth-1), 0, 4).AsAny(),
		rapid.MapOfN(keys, jsonValues(depth-1), 0, 4).AsAny())...)
}

func TestValuesAreReadAsTheLibraryReadsThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "value")
		inner := map[string]any{"x": jsonValues(2).Draw(t, "x"), "want": want, "y": jsonValues(2).Draw(t, "y")}
		line, err := json.Marshal(map[string]any{"a": jsonValues(3).Draw(t, "a"), "in": []any{0, inner}, "z": jsonValues(1).Draw(t, "z")})
		if err != nil {
			t.Fatal(err)
		}
		got, ok := pickAll(string(line), "in[1].want")
		if !ok || got[0] != strings.ToValidUTF8(want, "\uFFFD") {
			t.Fatalf("%s: found %q, %v; want %q", line, got, ok, want)
		}
		cut := line[:rapid.IntRange(0, len(line)-1).Draw(t, "cut")]
		if _, ok := pickAll(string(cut), "in[1].want"); ok {
			t.Fatalf("%s is read", cut)
		}
	})
}
