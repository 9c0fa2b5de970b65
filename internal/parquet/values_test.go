package parquet

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestValuesOfEveryType(t *testing.T) {
	cases := []struct{ name, expression, want string }{
		{"a timestamp", "timestamp '2026-03-02 09:15:00'", `"2026-03-02T09:15:00Z"`},
		{"a timestamp in seconds", "timestamp_s '2026-03-02 09:15:00'", `"2026-03-02T09:15:00Z"`},
		{"a timestamp in milliseconds", "timestamp_ms '2026-03-02 09:15:00.120'", `"2026-03-02T09:15:00.12Z"`},
		{"a timestamp in microseconds", "timestamp '2026-03-02 09:15:00.000001'", `"2026-03-02T09:15:00.000001Z"`},
		{"a timestamp in nanoseconds", "timestamp_ns '2026-03-02 09:15:00.000000001'", `"2026-03-02T09:15:00.000000001Z"`},
		{"a timestamp with a zone", "timestamptz '2026-03-02 09:15:00+02'", `"2026-03-02T07:15:00Z"`},
		{"a timestamp before 1970", "timestamp '1969-12-31 23:59:59.5'", `"1969-12-31T23:59:59.5Z"`},
		{"timestamps in a list", "[timestamp '2026-03-02 09:15:00']", `["2026-03-02T09:15:00Z"]`},
		{"a date stays one", "date '2026-03-02'", `"2026-03-02"`},
		{"a time of day", "time '09:15:00'", `"09:15:00"`},
		{"the smallest bigint", "(-9223372036854775808)::bigint", "-9223372036854775808"},
		{"the largest bigint", "9223372036854775807::bigint", "9223372036854775807"},
		{"the largest ubigint", "18446744073709551615::ubigint", "18446744073709551615"},
		{"a tinyint", "(-128)::tinyint", "-128"},
		{"a smallint", "(-32768)::smallint", "-32768"},
		{"an integer", "(-2147483648)::integer", "-2147483648"},
		{"a utinyint", "255::utinyint", "255"},
		{"a usmallint", "65535::usmallint", "65535"},
		{"a uinteger", "4294967295::uinteger", "4294967295"},
		{"a decimal without a fraction", "12345678901234567890123456789012345678::decimal(38,0)", "12345678901234567890123456789012345678"},
		{"a decimal with a fraction", "(-0.05)::decimal(10,2)", "-0.05"},
		{"a whole double", "200::double", "200"},
		{"a double", "0.1::double", "0.1"},
		{"a float", "0.1::float", "0.1"},
		{"a large double", "1e300::double", "1e+300"},
		{"not a number is missing", "'nan'::double", ""},
		{"not a number is missing, short", "'nan'::float", ""},
		{"infinite is no number", "'-inf'::double", `"-Inf"`},
		{"null is missing", "null::varchar", ""},
		{"yes and no", "true", "true"},
		{"text", `'a "quoted" \ ' || chr(10) || chr(1) || ' – é 😀'`, `"a \"quoted\" \\ \u000a\u0001 – é 😀"`},
		{"empty text", "''", `""`},
		{"text that is not called text", "'caf\\xC3\\xA9'::blob", `"café"`},
		{"bytes that are no text are kept", "'a\\xFF'::blob", "\"a\xff\""},
		{"a list of text", "['a', 'b', null]", `["a","b",null]`},
		{"an empty list", "[]::varchar[]", "[]"},
		{"a list of bytes", "['a'::blob]", `["a"]`},
		{"a list of structs", "[{'productId': 9223372036854775807, 'position': 2::tinyint}, null]", `[{"position":2,"productId":9223372036854775807},null]`},
		{"a null in a struct", "{'a': null::int, 'b': {'c': [1]}}", `{"a":null,"b":{"c":[1]}}`},
		{"a map", "map {'b': 1, 'a': 2}", `{"a":2,"b":1}`},
		{"JSON", `'{"a": [18446744073709551615]}'::json`, `{"a": [18446744073709551615]}`},
		{"a UUID", "'0f2dbbdf-3007-434b-8b78-cfe446519acc'::uuid", `"0f2dbbdf-3007-434b-8b78-cfe446519acc"`},
		{"a named value", "'b'::enum('a', 'b')", `"b"`},
		{"an interval", "interval 1 day", `"1 day"`},
	}
	// One file with a column for each case: v0, v1, …
	var expressions, names []string
	for i, c := range cases {
		names = append(names, fmt.Sprintf("v%d", i))
		expressions = append(expressions, c.expression+" as "+names[i])
	}
	all := objects(t, open(t, written(t, "select "+strings.Join(expressions, ", ")), names...))
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(strings.Join(all, "")), &got); err != nil {
		t.Fatalf("%s: %v", all, err)
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := string(got[names[i]]); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestTextsAreReadBackFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		want = strings.ToValidUTF8(want, "")
		var got string
		if err := json.Unmarshal(appendText(nil, want), &got); err != nil || got != want {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	})
}

func TestNumbersAndTimesAreReadBackFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		float := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "float")
		large := new(big.Int).Lsh(big.NewInt(rapid.Int64().Draw(t, "integer")), 60)
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond"))
		var got struct {
			Float float64
			Large *big.Int
			Time  time.Time
		}
		written := appendValue(nil, map[string]any{"Float": float, "Large": large, "Time": at})
		if err := json.Unmarshal(written, &got); err != nil || got.Float != float || got.Large.Cmp(large) != 0 || !got.Time.Equal(at) {
			t.Fatalf("%s is %v, %v", written, got, err)
		}
	})
}
