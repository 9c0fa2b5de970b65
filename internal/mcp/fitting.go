package mcp

import (
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// longestText and longestList are what a row that is too large is cut to at
// first: a URL of any use, and more products than an answer names.
const (
	longestText = 4096
	longestList = 128
)

// fitting is a row within a number of bytes of JSON: as it is, or with its texts
// and lists cut shorter and shorter. A row of the API is one of texts, numbers and
// lists of such rows.
func fitting[T any](row T, bytes int) T {
	for text, list := longestText, longestList; text > 0; text, list = text/2, max(1, list/2) {
		if line, err := json.Marshal(row); err != nil || len(line) <= bytes {
			break
		}
		cut := reflect.New(reflect.TypeFor[T]()).Elem()
		cut.Set(reflect.ValueOf(row))
		shorten(cut, text, list)
		row = cut.Interface().(T)
	}
	return row
}

func shorten(v reflect.Value, text, list int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(clip(v.String(), text))
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.String {
			short := reflect.New(v.Type().Elem())
			short.Elem().SetString(clip(v.Elem().String(), text))
			v.Set(short)
		}
	case reflect.Slice:
		copied := reflect.MakeSlice(v.Type(), min(v.Len(), list), min(v.Len(), list))
		reflect.Copy(copied, v)
		for i := range copied.Len() {
			shorten(copied.Index(i), text, list)
		}
		v.Set(copied)
	case reflect.Struct:
		for i := range v.NumField() {
			shorten(v.Field(i), text, list)
		}
	}
}

// clip cuts a text, between two characters, and marks the cut.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
