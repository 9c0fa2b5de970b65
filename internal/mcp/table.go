package mcp

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sightline-hq/sightline/api"
)

// table writes rows of the API as a Markdown table, with the names of the
// contract. An absent value is a dash. Columns of which no row has anything are
// left out if the contract has them on request only, and so are those without.
func table[T any](rows []T, without ...string) string {
	var columns []int
	var head []string
	kind := reflect.TypeFor[T]()
	for i := range kind.NumField() {
		name, options, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		if slices.Contains(without, name) || options == "omitempty" && !anyHas(rows, i) {
			continue
		}
		columns, head = append(columns, i), append(head, name)
	}
	var b strings.Builder
	line(&b, head)
	b.WriteString("|" + strings.Repeat("---|", len(head)) + "\n")
	for _, row := range rows {
		cells := make([]string, len(columns))
		for i, column := range columns {
			cells[i] = show(reflect.ValueOf(row).Field(column).Interface())
		}
		line(&b, cells)
	}
	return b.String()
}

func anyHas[T any](rows []T, field int) bool {
	return slices.ContainsFunc(rows, func(row T) bool { return !reflect.ValueOf(row).Field(field).IsZero() })
}

func line(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// show writes a value for reading: four digits of a share are enough.
func show(value any) string {
	switch v := value.(type) {
	case string:
		return cell(strings.TrimSuffix(v, "T00:00:00Z")) // a bucket's day
	case *string:
		if v != nil {
			return cell(*v)
		}
	case *int64:
		if v != nil {
			return strconv.FormatInt(*v, 10)
		}
	case *float64:
		if v != nil {
			return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(*v, 'f', 4, 64), "0"), ".")
		}
	case []api.Website:
		return joined(v, func(w api.Website) string { return fmt.Sprintf("%s (%s)", w.Domain, w.WebsiteID) })
	case []api.PromptLabel:
		return joined(v, func(l api.PromptLabel) string { return fmt.Sprintf("%d %s", l.ID, l.Name) })
	case []api.CitationProduct:
		return joined(v, func(p api.CitationProduct) string { return p.Name })
	default:
		return fmt.Sprint(v)
	}
	return "-"
}

func joined[T any](list []T, name func(T) string) string {
	if len(list) == 0 {
		return "-"
	}
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = name(v)
	}
	return cell(strings.Join(names, ", "))
}

// longestCell is how much of a long path or URL a table repeats, in runes; the
// structured content has all of it.
const longestCell = 300

// cell makes a text fit for a cell: one line, no bars, not too long.
func cell(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1 // it would turn round what stands beside it
		}
		return r
	}, text)
	text = strings.ReplaceAll(text, "|", `\|`)
	if runes := []rune(text); len(runes) > longestCell {
		text = string(runes[:longestCell]) + "…"
	}
	if text == "" {
		return "-"
	}
	return text
}

// paragraphs joins the notes of an answer below its table.
func paragraphs(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return "\n" + strings.Join(notes, "\n") + "\n"
}
