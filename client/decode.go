package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sightline-hq/sightline/api"
)

// body reads an answer up to a size, and remembers why it could not: a decoder
// does not tell a broken connection from broken JSON.
type body struct {
	from   io.Reader
	left   int64
	failed error
	copied *copied // nil: no copy is wanted
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		b.failed = ErrTooLarge
		return 0, ErrTooLarge
	}
	if err != nil && err != io.EOF {
		b.failed = err
	}
	b.copied.add(p[:n])
	return n, err
}

// whole decodes a value and reads on to the end, where a connection that was
// cut shows, and after which it can be used again.
func whole[T any](r io.Reader, decode func(*json.Decoder) (T, error)) (value T, err error) {
	d := json.NewDecoder(r)
	if value, err = decode(d); err != nil {
		return value, err
	}
	switch _, err := d.Token(); err {
	case io.EOF:
		return value, nil
	case nil:
		return value, errors.New("something follows the answer")
	default:
		return value, err
	}
}

func object[T any](d *json.Decoder) (value T, err error) {
	var found *T
	if err := d.Decode(&found); err != nil {
		return value, err
	}
	if found == nil {
		return value, errors.New("null instead of an object")
	}
	return *found, nil
}

// array decodes element by element, so that the text is never held whole.
func array[T any](d *json.Decoder) ([]T, error) {
	if err := delimiter(d, '['); err != nil {
		return nil, err
	}
	values := []T{}
	for d.More() {
		var v T
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, delimiter(d, ']')
}

// page decodes the items of a page one by one, wherever they stand in it.
func page(d *json.Decoder) (p api.TimeseriesResponse, err error) {
	if err := delimiter(d, '{'); err != nil {
		return p, err
	}
	var items []api.TimeseriesItem
	envelope := make(map[string]json.RawMessage)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return p, err
		}
		if token == "items" {
			items, err = array[api.TimeseriesItem](d)
		} else {
			var value json.RawMessage
			err = d.Decode(&value)
			envelope[fmt.Sprint(token)] = value
		}
		if err != nil {
			return p, err
		}
	}
	if err := delimiter(d, '}'); err != nil {
		return p, err
	}
	if items == nil {
		return p, errors.New("a page without items")
	}
	text, err := json.Marshal(envelope)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	p.Items = items
	return p, err
}

func delimiter(d *json.Decoder, want json.Delim) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("no %v where one belongs", want)
	}
	return nil
}
