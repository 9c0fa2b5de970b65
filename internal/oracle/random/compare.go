package random

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"reflect"
	"sort"

	"github.com/sightline-hq/sightline/api"
)

// Compare says how an answer differs from what was expected, or nil. The order
// of rows counts, and a null is not the same as a field that is absent.
func Compare(r Request, status int, body []byte) error {
	want := r.expected()
	if err := differs(r, status, body, want); err != nil {
		return fmt.Errorf("%v\n%w\nwant %d %s\ngot  %d %s", r, err, r.Status, shorten(want), status, shorten(body))
	}
	return nil
}

// The messages of the contract.
var messages = map[int]string{
	http.StatusBadRequest:   "Invalid request parameters.",
	http.StatusUnauthorized: "Unauthorized.",
}

// value is what the body must mean.
func (r Request) value() any {
	if r.Status == http.StatusOK {
		return r.Answer
	}
	return api.ErrorResponse{Message: messages[r.Status]}
}

func (r Request) expected() []byte {
	if r.Method == http.MethodHead {
		return nil
	}
	text, err := json.Marshal(r.value())
	if err != nil {
		panic(err) // the answer types are plain data
	}
	return text
}

func differs(r Request, status int, body, want []byte) error {
	if status != r.Status {
		return errors.New("another status")
	}
	if r.Method == http.MethodHead {
		if len(body) > 0 {
			return errors.New("a body in answer to HEAD")
		}
		return nil
	}
	into := reflect.New(reflect.TypeOf(r.value())).Interface()
	if err := decode(body, into, (*json.Decoder).DisallowUnknownFields); err != nil {
		return fmt.Errorf("no %T: %w", r.value(), err)
	}
	var got, expected any
	if err := decode(body, &got, (*json.Decoder).UseNumber); err != nil {
		return err
	}
	if err := decode(want, &expected, (*json.Decoder).UseNumber); err != nil {
		return err
	}
	return difference("$", expected, got)
}

// decode reads exactly one JSON value.
func decode(text []byte, into any, option func(*json.Decoder)) error {
	d := json.NewDecoder(bytes.NewReader(text))
	option(d)
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// difference finds the first place where two JSON values differ.
func difference(at string, want, got any) error {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return objects(at, w, g)
		}
	case []any:
		if g, ok := got.([]any); ok {
			return arrays(at, w, g)
		}
	case json.Number:
		if g, ok := got.(json.Number); ok && sameNumber(w, g) {
			return nil
		}
	default:
		if want == got {
			return nil
		}
	}
	return fmt.Errorf("%s: want %s, got %s", at, text(want), text(got))
}

func objects(at string, want, got map[string]any) error {
	for _, name := range sortedKeys(want) {
		if _, ok := got[name]; !ok {
			return fmt.Errorf("%s.%s: want %s, got nothing", at, name, text(want[name]))
		}
		if err := difference(at+"."+name, want[name], got[name]); err != nil {
			return err
		}
	}
	for _, name := range sortedKeys(got) {
		if _, ok := want[name]; !ok {
			return fmt.Errorf("%s.%s: want nothing, got %s", at, name, text(got[name]))
		}
	}
	return nil
}

func arrays(at string, want, got []any) error {
	for i := range min(len(want), len(got)) {
		if err := difference(fmt.Sprintf("%s[%d]", at, i), want[i], got[i]); err != nil {
			return err
		}
	}
	if len(want) != len(got) {
		return fmt.Errorf("%s: want %d elements, got %d", at, len(want), len(got))
	}
	return nil
}

// sameNumber forgives the last digits of a division; whole numbers are exact.
func sameNumber(want, got json.Number) bool {
	if want == got {
		return true
	}
	if _, err := want.Int64(); err == nil {
		if _, err := got.Int64(); err == nil {
			return false
		}
	}
	w, err1 := want.Float64()
	g, err2 := got.Float64()
	return err1 == nil && err2 == nil && math.Abs(w-g) <= 1e-12*math.Max(math.Abs(w), math.Abs(g))
}

func text(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(shorten(out))
}

const longest = 1500

func shorten(text []byte) []byte {
	if len(text) <= longest {
		return text
	}
	return fmt.Appendf(nil, "%s… (%d bytes)", text[:longest], len(text))
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
