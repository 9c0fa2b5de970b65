package lru

import "testing"

func TestWhatWasNotUsedForLongestIsForgotten(t *testing.T) {
	c := New[string, int](32)
	for i, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		c.Add(key, i, 4)
	}
	c.Get("a")
	c.Add("i", 8, 4)
	for key, kept := range map[string]bool{"a": true, "b": false, "c": true, "i": true} {
		if _, ok := c.Get(key); ok != kept {
			t.Errorf("%s kept: %v, want %v", key, ok, kept)
		}
	}
	if c.Cost() != 32 {
		t.Errorf("cost %d, want 32", c.Cost())
	}
}

func TestAValueIsReplacedAndItsCostWithIt(t *testing.T) {
	c := New[string, int](32)
	c.Add("a", 1, 4)
	c.Add("a", 2, 3)
	if v, _ := c.Get("a"); v != 2 || c.Cost() != 3 {
		t.Errorf("value %d at a cost of %d, want 2 and 3", v, c.Cost())
	}
}

func TestWhatIsTooLargeIsNotKept(t *testing.T) {
	c := New[string, int](32)
	c.Add("a", 1, 4)
	c.Add("large", 1, 5)
	if _, ok := c.Get("large"); ok || c.Cost() != 4 {
		t.Errorf("large kept: %v, cost %d", ok, c.Cost())
	}
	none := New[string, int](0)
	none.Add("a", 1, 1)
	if _, ok := none.Get("a"); ok {
		t.Error("a cache without room kept something")
	}
}
