package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const emptyReason = "the file is empty: a workspace has teams and products"

// parseSource reads a file into a tree and says how many values it has. It
// returns nil after noting why the file cannot be read.
func parseSource(n *notes, data []byte) (root *node, size int) {
	data, line, reason := cleanSource(data)
	if reason != "" {
		n.mistake(line, "", "%s", reason)
		return nil, 0
	}
	file, line, reason := parseYAML(string(data))
	if reason != "" {
		n.mistake(line, "", "%s", reason)
		return nil, 0
	}
	body, line, reason := onlyDocument(file)
	if reason != "" {
		n.mistake(line, "", "%s", reason)
		return nil, 0
	}
	t := tree{anchors: make(map[string]*node)}
	return t.node(body), t.size
}

// cleanSource turns the file into what the YAML parser reads best: UTF-8 without
// a byte order mark, lines that end in a line feed, and no tabs in JSON, where
// they are mere white space but forbidden as indentation of YAML.
func cleanSource(data []byte) (clean []byte, line int, reason string) {
	if len(data) > MaxWorkspace {
		return nil, 0, fmt.Sprintf("larger than %d MiB", MaxWorkspace>>20)
	}
	if !utf8.Valid(data) {
		return nil, invalidLine(data), "not valid UTF-8: save the file as UTF-8 text"
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, 1, emptyReason
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		data = bytes.ReplaceAll(data, []byte("\t"), []byte(" "))
	}
	return data, 0, ""
}

func invalidLine(data []byte) int {
	line := 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		data = data[size:]
	}
	return line
}

func parseYAML(text string) (file *ast.File, line int, reason string) {
	tokens := lexer.Tokenize(text)
	if line, reason := tooWild(tokens); reason != "" {
		return nil, line, reason
	}
	// Fields that are given twice are reported by the reader, all of them.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return file, 0, ""
	}
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) {
		return nil, tokenLine(syntax.Token), "syntax: " + syntax.Message
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return nil, 0, "syntax: " + first
}

// onlyDocument returns the body of the one document of a file. Directives and
// the nothing after a final separator count as documents for the parser only.
func onlyDocument(file *ast.File) (body ast.Node, line int, reason string) {
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.DirectiveType {
			continue
		}
		if body != nil {
			return nil, tokenLine(doc.Body.GetToken()), "a second document starts here: a workspace is one document"
		}
		body = doc.Body
	}
	if body == nil {
		return nil, 1, emptyReason
	}
	return body, 0, ""
}

func tokenLine(tk *token.Token) int {
	if tk == nil || tk.Position == nil {
		return 0
	}
	return tk.Position.Line
}
