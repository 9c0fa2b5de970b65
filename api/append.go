package api

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends an answer as JSON, byte for byte as encoding/json writes it
// without escaping HTML. The answers that can have many thousands of rows are
// written by hand: encoding them would take longer than counting them.
func AppendJSON(to []byte, answer any) ([]byte, error) {
	switch a := answer.(type) {
	case []PromptMetric:
		return appendList(to, a, appendPrompt), nil
	case []DailyPromptMetric:
		return appendList(to, a, appendDay), nil
	case CitationResponse:
		return appendCitations(to, &a), nil
	case TimeseriesResponse:
		return appendTimeseries(to, &a), nil
	case *TimeseriesItem:
		return appendItem(to, a), nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return to, err
	}
	return append(to, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...), nil
}

func appendList[T any](to []byte, rows []T, row func([]byte, *T) []byte) []byte {
	if rows == nil {
		return append(to, "null"...)
	}
	to = append(to, '[')
	if len(rows) < manyRows {
		return append(appendRows(to, rows, row), ']')
	}
	half, done := len(rows)/2, make(chan struct{})
	var rest []byte
	var failed any
	go func() {
		defer close(done)
		defer func() { failed = recover() }() // for who called; here it would end the program
		rest = appendRows(nil, rows[half:], row)
	}()
	to = append(appendRows(to, rows[:half], row), ',')
	<-done
	if failed != nil {
		panic(failed)
	}
	return append(append(to, rest...), ']')
}

const (
	// manyRows is from how many rows on two cores share the work.
	manyRows = 4096
	// sample is how many rows tell how long the others are.
	sample = 256
)

func appendRows[T any](to []byte, rows []T, row func([]byte, *T) []byte) []byte {
	start := len(to)
	for i := range rows {
		if i > 0 {
			to = append(to, ',')
		}
		to = row(to, &rows[i])
		if i == sample { // room for all, instead of copying what there is again and again
			to = slices.Grow(to, (len(to)-start)/sample*(len(rows)-i)*5/4)
		}
	}
	return to
}

func appendPrompt(to []byte, p *PromptMetric) []byte {
	to = appendText(append(to, `{"promptText":`...), p.PromptText)
	to = appendText(append(to, `,"platform":`...), p.Platform)
	to = appendText(append(to, `,"domain":`...), p.Domain)
	to = appendFloat(append(to, `,"position":`...), p.Position)
	to = appendFloat(append(to, `,"visibility":`...), p.Visibility)
	to = appendInt(append(to, `,"rank":`...), p.Rank)
	to = appendInt(append(to, `,"runCount":`...), p.RunCount)
	to = appendList(append(to, `,"labels":`...), p.Labels, func(to []byte, l *PromptLabel) []byte {
		to = strconv.AppendInt(append(to, `{"id":`...), l.ID, 10)
		return append(appendText(append(to, `,"name":`...), l.Name), '}')
	})
	return append(to, '}')
}

func appendDay(to []byte, d *DailyPromptMetric) []byte {
	to = appendText(append(to, `{"date":`...), d.Date)
	to = appendText(append(to, `,"platform":`...), d.Platform)
	to = appendText(append(to, `,"domain":`...), d.Domain)
	to = appendFloat(append(to, `,"visibility":`...), d.Visibility)
	to = appendFloat(append(to, `,"position":`...), d.Position)
	return append(appendInt(append(to, `,"rank":`...), d.Rank), '}')
}

func appendCitations(to []byte, c *CitationResponse) []byte {
	start := len(to)
	if c.ByProperty != nil {
		to = appendList(append(to, `,"byProperty":`...), c.ByProperty, func(to []byte, p *CitationByProperty) []byte {
			to = appendText(append(to, `{"domain":`...), p.Domain)
			return appendCited(to, p.Products, p.Count, p.IsMentioned)
		})
	}
	if c.ByPage != nil {
		to = appendList(append(to, `,"byPage":`...), c.ByPage, func(to []byte, p *CitationByPage) []byte {
			to = appendText(append(to, `{"domain":`...), p.Domain)
			to = appendText(append(to, `,"url":`...), p.URL)
			return appendCited(to, p.Products, p.Count, p.IsMentioned)
		})
	}
	if c.ByProduct != nil {
		to = appendList(append(to, `,"byProduct":`...), c.ByProduct, func(to []byte, p *CitationByProduct) []byte {
			to = appendNamed(to, p.Name, p.Domain)
			return appendCounted(to, p.Count, p.IsMentioned)
		})
	}
	if len(to) == start {
		return append(to, "{}"...)
	}
	to[start] = '{' // in place of the first comma
	return append(to, '}')
}

// appendCited appends what citations of domains and pages have in common.
func appendCited(to []byte, products []CitationProduct, count int64, mentioned bool) []byte {
	to = appendList(append(to, `,"products":`...), products, func(to []byte, p *CitationProduct) []byte {
		return append(appendNamed(to, p.Name, p.Domain), '}')
	})
	return appendCounted(to, count, mentioned)
}

// appendNamed begins an object with a name and a domain.
func appendNamed(to []byte, name, domain string) []byte {
	to = appendText(append(to, `{"name":`...), name)
	return appendText(append(to, `,"domain":`...), domain)
}

// appendCounted ends an object with a count.
func appendCounted(to []byte, count int64, mentioned bool) []byte {
	to = strconv.AppendInt(append(to, `,"count":`...), count, 10)
	return append(strconv.AppendBool(append(to, `,"isMentioned":`...), mentioned), '}')
}

func appendTimeseries(to []byte, t *TimeseriesResponse) []byte {
	to = appendInt(append(to, `{"previousPage":`...), t.PreviousPage)
	to = strconv.AppendInt(append(to, `,"currentPage":`...), t.CurrentPage, 10)
	to = appendInt(append(to, `,"nextPage":`...), t.NextPage)
	to = strconv.AppendInt(append(to, `,"totalPages":`...), t.TotalPages, 10)
	to = strconv.AppendInt(append(to, `,"totalItems":`...), t.TotalItems, 10)
	to = strconv.AppendInt(append(to, `,"perPage":`...), t.PerPage, 10)
	return append(appendList(append(to, `,"items":`...), t.Items, appendItem), '}')
}

func appendItem(to []byte, item *TimeseriesItem) []byte {
	to = appendText(append(to, `{"timestamp":`...), item.Timestamp)
	for _, d := range [...]struct {
		name  string
		value *string
	}{
		{`,"platform":`, item.Platform}, {`,"botType":`, item.BotType}, {`,"urlPath":`, item.URLPath},
		{`,"normalizedUrlPath":`, item.NormalizedURLPath}, {`,"urlPathDirectory":`, item.URLPathDirectory},
	} {
		if d.value != nil {
			to = appendText(append(to, d.name...), *d.value)
		}
	}
	for _, m := range [...]struct {
		name  string
		value *int64
	}{
		{`,"botVisits":`, item.BotVisits}, {`,"humanVisits":`, item.HumanVisits},
		{`,"referredHumanVisits":`, item.ReferredHumanVisits}, {`,"aiReferredHumanVisits":`, item.AIReferredHumanVisits},
		{`,"uniqueHumanVisitors":`, item.UniqueHumanVisitors}, {`,"uniquePages":`, item.UniquePages},
		{`,"uniqueHumanPages":`, item.UniqueHumanPages}, {`,"uniqueHumanPlatforms":`, item.UniqueHumanPlatforms},
		{`,"botUserAgents":`, item.BotUserAgents},
	} {
		if m.value != nil {
			to = strconv.AppendInt(append(to, m.name...), *m.value, 10)
		}
	}
	return append(to, '}')
}

func appendInt(to []byte, n *int64) []byte {
	if n == nil {
		return append(to, "null"...)
	}
	return strconv.AppendInt(to, *n, 10)
}

// appendFloat appends a number. Those that need an exponent are rare.
func appendFloat(to []byte, f *float64) []byte {
	if f == nil {
		return append(to, "null"...)
	}
	if abs := math.Abs(*f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		text, err := json.Marshal(*f)
		if err != nil {
			panic(err) // infinite: a ratio is divided by a count, which is not 0
		}
		return append(to, text...)
	}
	return strconv.AppendFloat(to, *f, 'f', -1, 64)
}

// appendText appends a string. Most need no escaping.
func appendText(to []byte, s string) []byte {
	if !plain(s) {
		return appendEscaped(to, s)
	}
	to = append(append(to, '"'), s...)
	return append(to, '"')
}

// plain says whether a string stands in JSON as it is. It looks at eight bytes
// at a time: the texts of an answer may have megabytes.
func plain(s string) bool {
	for len(s) >= 8 {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if (w|below(w, ' ')|below(w^each*'"', 1)|below(w^each*'\\', 1))&(each<<7) != 0 {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// each has 1 in each byte.
const each = 0x0101010101010101

// below sets the highest bit of some byte if any of the eight is below n, else of
// none; n is at most 128.
func below(w, n uint64) uint64 { return (w - each*n) &^ w }

func appendEscaped(to []byte, s string) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return append(to, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...)
}
