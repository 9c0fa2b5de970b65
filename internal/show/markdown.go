package show

import (
	"bufio"
	"io"
	"strings"
)

// Markdown writes tables as GitHub and others read them. Texts show as they
// are: nothing in them becomes a link, an image or HTML.
func Markdown(w io.Writer, tables ...Table) error {
	out := bufio.NewWriter(w)
	for n, t := range tables {
		if n > 0 {
			out.WriteString("\n")
		}
		if len(tables) > 1 && t.Title != "" {
			out.WriteString("### " + t.Title + "\n\n")
		}
		markdownHeader(out, t.Columns)
		for row, err := range t.Rows {
			if err != nil {
				out.Flush()
				return err
			}
			out.WriteString("|")
			for i, c := range t.Columns {
				if c.Title != "" {
					out.WriteString(" " + markdown(c.text(row[i])) + " |")
				}
			}
			out.WriteString("\n")
		}
	}
	return out.Flush()
}

func markdownHeader(out *bufio.Writer, all []Column) {
	titles, rules := "|", "|"
	for _, c := range all {
		if c.Title == "" {
			continue
		}
		titles += " " + strings.ToLower(c.Title) + " |"
		if c.right() {
			rules += "---:|"
		} else {
			rules += "---|"
		}
	}
	out.WriteString(titles + "\n" + rules + "\n")
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "~", `\~`, "!", `\!`, "#", `\#`,
)

// markdown escapes a printable text.
func markdown(s string) string { return markdownEscapes.Replace(s) }
