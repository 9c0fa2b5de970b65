package apidocs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
)

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	boldSpan = regexp.MustCompile(`\*\*([^*]+)\*\*`)
)

// inline turns the Markdown of one paragraph into HTML: code and bold are all
// that the document uses.
func inline(markdown string) template.HTML {
	escaped := template.HTMLEscapeString(strings.TrimSpace(markdown))
	escaped = codeSpan.ReplaceAllString(escaped, "<code>$1</code>")
	return template.HTML(boldSpan.ReplaceAllString(escaped, "<strong>$1</strong>"))
}

// paragraphs splits a description at its empty lines.
func paragraphs(markdown string) (all []template.HTML) {
	for _, p := range strings.Split(strings.TrimSpace(markdown), "\n\n") {
		all = append(all, inline(p))
	}
	return all
}

const lineWidth = 102

// prettyJSON writes a value of the document as JSON with its keys in order. An
// object or array that fits on the rest of a line stays on it.
func prettyJSON(value any) (string, error) {
	var w bytes.Buffer
	err := writeJSON(&w, value, "\n")
	return w.String(), err
}

// writeJSON writes a value whose further lines begin with newline.
func writeJSON(w *bytes.Buffer, value any, newline string) error {
	items, brackets := children(value)
	if brackets == "" {
		scalar, err := json.Marshal(value)
		w.Write(scalar)
		return err
	}
	inner, between := newline+"  ", ","+newline+"  "
	if newline == "" || len(newline)+flatLength(value) <= lineWidth {
		newline, inner, between = "", "", ", "
	}
	w.WriteByte(brackets[0])
	for i, item := range items {
		w.WriteString([]string{inner, between}[min(i, 1)])
		if item.Key != nil {
			fmt.Fprintf(w, "%q: ", fmt.Sprint(item.Key))
		}
		if err := writeJSON(w, item.Value, inner); err != nil {
			return err
		}
	}
	w.WriteString(newline)
	w.WriteByte(brackets[1])
	return nil
}

func flatLength(value any) int {
	var w bytes.Buffer
	if err := writeJSON(&w, value, ""); err != nil {
		return 0 // the caller meets the same error
	}
	return w.Len()
}

// children returns what is inside an object or array.
func children(value any) (items yaml.MapSlice, brackets string) {
	switch v := value.(type) {
	case yaml.MapSlice:
		return v, "{}"
	case []any:
		for _, item := range v {
			items = append(items, yaml.MapItem{Value: item})
		}
		return items, "[]"
	}
	return nil, ""
}

// typeName says in words what values a schema allows.
func typeName(s schema) string {
	name := fmt.Sprint(s.Type)
	if types, ok := s.Type.([]any); ok {
		parts := make([]string, len(types))
		for i, t := range types {
			parts[i] = fmt.Sprint(t)
		}
		name = strings.Join(parts, " or ")
	}
	if s.Items != nil {
		name = "array of " + itemName(*s.Items)
	}
	if s.Format != "" && s.Format != "int64" {
		name += ", " + s.Format
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		name += fmt.Sprintf(", %v to %v", s.Minimum, s.Maximum)
	case s.Minimum != nil:
		name += fmt.Sprintf(", at least %v", s.Minimum)
	}
	return name
}

func itemName(s schema) string {
	if s.Ref != "" {
		return target(s.Ref)
	}
	return typeName(s)
}
