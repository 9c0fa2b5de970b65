package insight

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestWilsonIsTheIntervalOfTheTextbook(t *testing.T) {
	// Figures of R's prop.test(x, n, correct = FALSE).
	for _, c := range []struct {
		name       string
		visibility float64
		runs       int64
		low, high  float64
	}{
		{"half of ten", 0.5, 10, 0.2366, 0.7634},
		{"none of ten", 0, 10, 0, 0.2775},
		{"all of ten", 1, 10, 0.7225, 1},
		{"15 of 148", 15. / 148, 148, 0.0624, 0.1605},
		{"one of one", 1, 1, 0.2065, 1},
		{"42 of 100", 0.42, 100, 0.3280, 0.5179},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Wilson(&c.visibility, &c.runs)
			if got == nil || math.Abs(got.Low-c.low) > 5e-5 || math.Abs(got.High-c.high) > 5e-5 {
				t.Errorf("got %v, want %.4f to %.4f", got, c.low, c.high)
			}
		})
	}
}

func TestWithoutDataThereIsNoInterval(t *testing.T) {
	share, runs := 0.5, int64(10)
	for _, c := range []struct {
		name       string
		visibility *float64
		runs       *int64
	}{
		{"no visibility", nil, &runs},
		{"no run count", &share, nil},
		{"no runs", &share, new(int64)},
		{"not a share", new(1.5), &runs},
		{"negative", new(-0.1), &runs},
		{"not a number", new(math.NaN()), &runs},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Wilson(c.visibility, c.runs); got != nil {
				t.Errorf("got %v", *got)
			}
			if got := WilsonChange(&share, &runs, c.visibility, c.runs); got != nil {
				t.Errorf("a change of %v", *got)
			}
			if got := WilsonChange(c.visibility, c.runs, &share, &runs); got != nil {
				t.Errorf("a change of %v", *got)
			}
		})
	}
}

func TestMoreRunsMakeVisibilityMoreCertain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.Int64Range(1, 1e6).Draw(t, "runs")
		visibility := float64(rapid.Int64Range(0, runs).Draw(t, "mentions")) / float64(runs)
		some := Wilson(&visibility, &runs)
		more := Wilson(&visibility, new(runs*4))
		if some.Low < 0 || some.High > 1 || !some.Contains(visibility) {
			t.Fatalf("%v of %d runs: %v", visibility, runs, *some)
		}
		if more.High-more.Low >= some.High-some.Low {
			t.Fatalf("%v is not narrower than %v", *more, *some)
		}
	})
}

func TestASmallChangeIsCertainOnlyWithManyRuns(t *testing.T) {
	// The first is Newcombe's own example, 56 of 70 against 48 of 80.
	for _, c := range []struct {
		name        string
		now, before float64
		nNow, nBef  int64
		low, high   float64
	}{
		{"the example of the paper", 0.8, 0.6, 70, 80, 0.0524, 0.3339},
		{"few runs", 0.5, 0.4, 10, 10, -0.2898, 0.4509},
		{"many runs", 0.5, 0.4, 5000, 5000, 0.0806, 0.1193},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := WilsonChange(&c.now, &c.nNow, &c.before, &c.nBef)
			if math.Abs(got.Low-c.low) > 1e-4 || math.Abs(got.High-c.high) > 1e-4 {
				t.Errorf("got %v, want %.4f to %.4f", *got, c.low, c.high)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name string
		got  *float64
		want *float64
	}{
		{"visibility up", Difference(new(0.5), new(0.25)), new(0.25)},
		{"visibility down", Difference(new(0.25), new(0.5)), new(-0.25)},
		{"nothing now", Difference(nil, new(0.5)), nil},
		{"nothing before", Difference(new(0.5), nil), nil},
		{"a better rank is a gain", Gain(new(2.), new(5.)), new(3.)},
		{"a worse rank is a loss", Gain(new(5.), new(2.)), new(-3.)},
		{"no rank before", Gain(new(5.), nil), nil},
		{"half as much again", Growth(new(int64(15)), new(int64(10))), new(0.5)},
		{"nothing left", Growth(new(int64(0)), new(int64(10))), new(-1.)},
		{"from zero", Growth(new(int64(5)), new(int64(0))), nil},
		{"no count now", Growth(nil, new(int64(5))), nil},
		{"no count before", Growth(new(int64(5)), nil), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if (c.got == nil) != (c.want == nil) || c.got != nil && *c.got != *c.want {
				t.Errorf("got %v, want %v", c.got, c.want)
			}
		})
	}
}
