package check_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/check"
)

// export changes the answers of one type.
func export(kind string, change func(lines [][]byte) [][]byte) func(*http.Request, *reply) {
	return func(_ *http.Request, a *reply) {
		if strings.HasPrefix(a.header.Get("Content-Type"), kind) {
			a.body = bytes.Join(change(bytes.SplitAfter(a.body, []byte("\n"))), nil)
		}
	}
}

var brokenExports = []breakage{
	{name: "whoever accepts anything gets CSV", caughtBy: "exports/default", before: func(r *http.Request) {
		if r.Header.Get("Accept") == "*/*" {
			r.Header.Set("Accept", "text/csv")
		}
	}},
	{name: "the first type is taken, whatever its weight", caughtBy: "exports/default", before: func(r *http.Request) {
		first, _, _ := strings.Cut(r.Header.Get("Accept"), ";")
		r.Header.Set("Accept", first)
	}},
	{name: "NDJSON in another order", caughtBy: "exports/rows", after: export("application/x-ndjson", func(lines [][]byte) [][]byte {
		slices.Reverse(lines)
		return lines
	})},
	{name: "NDJSON lacks the last row", caughtBy: "exports/rows", after: export("application/x-ndjson", func(lines [][]byte) [][]byte {
		return lines[:max(0, len(lines)-2)]
	})},
	{name: "CSV without a header", caughtBy: "exports/rows", after: export("text/csv", func(lines [][]byte) [][]byte { return lines[1:] })},
	{name: "CSV with other names", caughtBy: "exports/rows", after: export("text/csv", func(lines [][]byte) [][]byte {
		lines[0] = bytes.ReplaceAll(lines[0], []byte("domain"), []byte("site"))
		return lines
	})},
	{name: "Parquet that is none", caughtBy: "exports/rows", after: export("application/vnd.apache.parquet", func([][]byte) [][]byte { return nil })},
	{name: "one tag for all forms", caughtBy: "exports/rows", after: func(_ *http.Request, a *reply) {
		if a.header.Get("ETag") != "" {
			a.header.Set("ETag", `"AAAAAAAAAAAAAAAAAAAAAA"`)
		}
	}},
}

func TestAServerWithoutExportsKeepsTheContract(t *testing.T) {
	bare := broken(t, breakage{before: func(r *http.Request) { r.Header.Del("Accept") }})
	r := against(t, bare, func(o *check.Options) { o.Only, o.Products = []string{"exports/"}, []int64{101} })
	for _, o := range r.Outcomes {
		if o.Name == "exports/rows" && o.State != check.NotApplicable || o.Name == "exports/default" && o.State != check.Passed {
			t.Errorf("%s: %s %s %s", o.Name, o.State, o.Request, o.Seen)
		}
	}
	if len(r.Outcomes) != 2 {
		t.Errorf("%d checks", len(r.Outcomes))
	}
}
