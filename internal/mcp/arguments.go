package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// decode reads the arguments of a call and says what is wrong with them, by
// name. Null counts as left out: some models fill in every argument.
func decode(raw json.RawMessage, takes *jsonschema.Schema, in any) error {
	given := make(map[string]any)
	if len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&given); err != nil {
			return errors.New("the arguments must be a JSON object")
		}
	}
	maps.DeleteFunc(given, func(_ string, value any) bool { return value == nil })
	for _, name := range slices.Sorted(maps.Keys(given)) {
		schema, ok := takes.Properties[name]
		if !ok {
			return unknown(name, takes)
		}
		if err := check(given[name], schema); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	clean, err := json.Marshal(given)
	if err != nil {
		return err
	}
	return json.Unmarshal(clean, in)
}

func unknown(name string, takes *jsonschema.Schema) error {
	if len(takes.PropertyOrder) == 0 {
		return fmt.Errorf("unknown argument %q: this tool takes none", name)
	}
	return fmt.Errorf("unknown argument %q: this tool takes %s", name, strings.Join(takes.PropertyOrder, ", "))
}

// check holds a value to the few keywords that our schemas use.
func check(value any, schema *jsonschema.Schema) error {
	switch schema.Type {
	case "array":
		list, ok := value.([]any)
		if !ok {
			return errors.New("must be an array, also for one value")
		}
		for _, item := range list {
			if err := check(item, schema.Items); err != nil {
				return err
			}
		}
		return nil
	case "integer":
		return checkInteger(value, schema)
	}
	text, ok := value.(string)
	switch {
	case !ok:
		return errors.New("must be a string")
	case text == "":
		return errors.New("must not be empty; leave it out instead")
	case schema.Enum != nil && !slices.Contains(schema.Enum, any(text)):
		return fmt.Errorf("%q is not one of %s", text, listed(schema.Enum))
	}
	return nil
}

func checkInteger(value any, schema *jsonschema.Schema) error {
	number, ok := value.(json.Number)
	if !ok {
		return errors.New("must be a whole number, not in quotes")
	}
	n, err := number.Int64()
	switch {
	case err != nil:
		return errors.New("must be a whole number")
	case schema.Minimum != nil && n < int64(*schema.Minimum):
		return fmt.Errorf("must be at least %.0f", *schema.Minimum)
	case schema.Maximum != nil && n > int64(*schema.Maximum):
		return fmt.Errorf("must be at most %.0f", *schema.Maximum)
	}
	return nil
}

func listed(values []any) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprint(v)
	}
	return strings.Join(names, ", ")
}
