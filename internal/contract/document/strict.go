package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// strictJSON accepts exactly one JSON value in UTF-8 without duplicate keys.
// Decoders are more lenient, and each in its own way.
func strictJSON(body []byte) error {
	if !utf8.Valid(body) {
		return errors.New("body: not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := readValue(dec); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("body: something follows the JSON value")
	}
	return nil
}

func readValue(dec *json.Decoder) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	keys := make(map[string]bool)
	for dec.More() {
		if open == '{' {
			if err := readKey(dec, keys); err != nil {
				return err
			}
		}
		if err := readValue(dec); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

func readKey(dec *json.Decoder, seen map[string]bool) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	key, _ := token.(string)
	if seen[key] {
		return fmt.Errorf("key %q twice in one object", key)
	}
	seen[key] = true
	return nil
}
