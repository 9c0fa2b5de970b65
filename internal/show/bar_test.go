package show

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/insight"
)

func TestBars(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{
		{0, ""}, {0.0001, "▏"}, {0.25, "██"}, {0.3, "██▍"}, {1, "████████"}, {1.7, "████████"}, {-1, ""},
	} {
		if got := bar(c.share, 8); got != c.want {
			t.Errorf("%v is drawn as %q, want %q", c.share, got, c.want)
		}
	}
}

func TestABarShowsHowSureItIs(t *testing.T) {
	for _, c := range []struct {
		name string
		i    insight.Interval
		want string
	}{
		{"unsure", insight.Interval{Low: 0.2, High: 0.8}, "██░░░░░░"},
		{"sure", insight.Interval{Low: 0.5, High: 0.501}, "█████░"},
		{"none", insight.Interval{Low: 0, High: 0.3}, "░░░"},
		{"all", insight.Interval{Low: 0.999, High: 1}, "██████████"},
	} {
		if got := barWithin(c.i, 10); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSparklines(t *testing.T) {
	v := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		name   string
		series Series
		width  int
		want   string
	}{
		{"from zero to the top", Series{v(0), v(1), v(2), v(4), v(7)}, 9, "▁▂▃▅█"},
		{"a gap is not zero", Series{v(5), nil, v(0), v(5)}, 9, "█ ▁█"},
		{"nothing but zero", Series{v(0), v(0)}, 9, "▁▁"},
		{"no data", Series{nil, nil}, 9, "  "},
		{"empty", Series{}, 9, ""},
		{"squeezed", Series{v(0), v(0), v(7), v(7), nil, nil, v(7), nil}, 4, "▁█ █"},
	} {
		if got := Spark(c.series, c.width); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBarsAndSparklinesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 40).Draw(t, "width")
		low, high := rapid.Float64().Draw(t, "low"), rapid.Float64().Draw(t, "high")
		var series Series
		for _, v := range rapid.SliceOfN(rapid.Float64Min(0), 0, 90).Draw(t, "series") {
			series = append(series, &v)
		}
		for _, drawn := range []string{bar(low, width), barWithin(insight.Interval{Low: min(low, high), High: max(low, high)}, width), Spark(series, width)} {
			if n := utf8.RuneCountInString(drawn); n > width {
				t.Fatalf("%q is %d wide, not %d", drawn, n, width)
			}
		}
	})
}
