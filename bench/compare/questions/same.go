package questions

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Same says where two answers differ. Fractions may differ in their last digits:
// engines print them differently.
func Same(want, got any) error { return same("answer", want, got) }

func same(where string, want, got any) error {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		if a, b := slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)); !slices.Equal(a, b) {
			return fmt.Errorf("%s has the fields %v and %v", where, a, b)
		}
		for _, k := range slices.Sorted(maps.Keys(want)) {
			if err := same(where+"."+k, want[k], got[k]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		got, ok := got.([]any)
		if !ok {
			break
		}
		if len(want) != len(got) {
			return fmt.Errorf("%s has %d and %d elements", where, len(want), len(got))
		}
		for i := range want {
			if err := same(fmt.Sprintf("%s[%d]", where, i), want[i], got[i]); err != nil {
				return err
			}
		}
		return nil
	case float64:
		if got, ok := got.(float64); ok && math.Abs(want-got) <= 1e-9*math.Abs(want) {
			return nil
		}
	default:
		if want == got {
			return nil
		}
	}
	return fmt.Errorf("%s is %v and %v", where, want, got)
}
