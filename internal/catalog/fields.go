package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// reader takes typed values out of a tree and notes what does not fit.
type reader struct {
	*notes
	visits int // how many more nodes may be looked at
}

// object is a mapping whose fields are being read.
type object struct {
	r    *reader
	at   string // where it stands, such as products[0]
	line int
	node *node // nil if there was no mapping
}

// object expects a mapping with known fields only. What it is called ("a team")
// is for the reasons.
func (r *reader) object(n *node, at, called string, known ...string) object {
	o := object{r: r, at: at, line: n.line}
	if !r.visit(n) {
		return o
	}
	if n.kind != kindMapping {
		r.mistake(n.line, at, "%s", wrongKind(n, "a mapping"))
		return o
	}
	o.node = n
	first := make(map[string]int)
	for _, f := range n.fields {
		earlier, twice := first[f.name]
		switch {
		case twice:
			r.mistake(f.line, o.where(f.name), "given twice: it is already on line %d", earlier)
		case f.value.kind == kindBad:
			r.mistake(f.line, o.where(f.name), "%s", f.value.text)
		case !slices.Contains(known, f.name):
			r.mistake(f.line, o.where(f.name), "unknown field: %s has %s", called, strings.Join(known, ", "))
		}
		if !twice {
			first[f.name] = f.line
		}
	}
	return o
}

// visit counts the nodes looked at: aliases can make a small file endless.
func (r *reader) visit(n *node) bool {
	r.visits--
	if r.visits == -1 {
		r.mistake(n.line, "", "aliases repeat more than %d values: write fewer of them", maxRepeats)
	}
	return r.visits >= 0
}

func (o object) where(field string) string {
	if o.at == "" {
		return shorten(field)
	}
	return o.at + "." + shorten(field)
}

// get returns the node of a field, or nil if it is absent, null or bad.
func (o object) get(name string) *node {
	if o.node == nil {
		return nil
	}
	for _, f := range o.node.fields {
		if f.name == name {
			if f.value.kind == kindNull || f.value.kind == kindBad || !o.r.visit(f.value) {
				return nil
			}
			return f.value
		}
	}
	return nil
}

// need is get for a required field.
func (o object) need(name string) *node {
	n := o.get(name)
	if n == nil && o.node != nil && o.r.visits >= 0 && !o.hasBad(name) {
		o.r.mistake(o.line, o.where(name), "required")
	}
	return n
}

func (o object) hasBad(name string) bool {
	return slices.ContainsFunc(o.node.fields, func(f field) bool {
		return f.name == name && f.value.kind == kindBad
	})
}

// text reads a field by a rule; line is 0 if it is absent.
func (o object) text(n *node, name string, rule rule) (value string, line int) {
	if n == nil {
		return "", 0
	}
	value, reason := textOf(n)
	if reason == "" {
		value, reason = rule(value)
	}
	if reason != "" {
		o.r.mistake(n.line, o.where(name), "%s", reason)
		return "", n.line
	}
	return value, n.line
}

func (o object) id(n *node, name string) (id int64, line int) {
	if n == nil {
		return 0, 0
	}
	id, reason := idOf(n)
	if reason != "" {
		o.r.mistake(n.line, o.where(name), "%s", reason)
	}
	return id, n.line
}

func (o object) flag(name string, absent bool) bool {
	n := o.get(name)
	if n == nil {
		return absent
	}
	if n.kind != kindBool {
		o.r.mistake(n.line, o.where(name), "%s", wrongKind(n, "true or false"))
		return absent
	}
	return strings.EqualFold(n.text, "true")
}

// list returns the items of a field that may be absent.
func (o object) list(name string) []*node {
	n := o.get(name)
	if n == nil {
		return nil
	}
	if n.kind != kindList {
		o.r.mistake(n.line, o.where(name), "%s", wrongKind(n, "a list"))
		return nil
	}
	return n.items
}

// texts reads a list of texts by a rule.
func (o object) texts(name string, rule rule) (refs []ref[string]) {
	for _, n := range o.list(name) {
		if !o.r.visit(n) {
			break
		}
		if v, line := o.text(n, name, rule); v != "" {
			refs = append(refs, ref[string]{v, line})
		}
	}
	return refs
}

// ids reads a list of ids.
func (o object) ids(name string) (refs []ref[int64]) {
	for _, n := range o.list(name) {
		if !o.r.visit(n) {
			break
		}
		if id, line := o.id(n, name); id != 0 {
			refs = append(refs, ref[int64]{id, line})
		}
	}
	return refs
}

// textOf takes whole numbers for text, since ids and names may look like one.
// Other numbers have several spellings, of which YAML keeps one.
func textOf(n *node) (text, reason string) {
	if n.kind == kindText {
		return n.text, ""
	}
	if n.kind == kindNumber {
		if i, err := strconv.ParseInt(n.text, 10, 64); err == nil && strconv.FormatInt(i, 10) == n.text {
			return n.text, ""
		}
	}
	if n.kind == kindNumber || n.kind == kindBool {
		return "", fmt.Sprintf("must be text: write '%s' in quotes", shorten(n.text))
	}
	return "", wrongKind(n, "text")
}

// maxID is the largest whole number of 64 bits.
const maxID = 1<<63 - 1

func idOf(n *node) (id int64, reason string) {
	plain := isDigits(n.text)
	switch {
	case n.kind == kindText && plain:
		return 0, fmt.Sprintf("must be a whole number, not text: write %s without quotes", shorten(n.text))
	case n.kind != kindNumber:
		return 0, wrongKind(n, "a whole number")
	}
	id, err := strconv.ParseInt(n.text, 10, 64)
	outside := plain && (err != nil || id < 1)
	switch {
	case strings.HasPrefix(n.text, "-") || outside:
		return 0, fmt.Sprintf("%s is out of range: ids go from 1 to %d", shorten(n.text), int64(maxID))
	case !plain || n.text[0] == '0':
		return 0, fmt.Sprintf("%s is not a plain whole number such as 101", shorten(n.text))
	}
	return id, ""
}

func wrongKind(n *node, want string) string {
	var is string
	switch n.kind {
	case kindNull:
		return "empty: must be " + want
	case kindText:
		is = "text " + quote(n.text)
	case kindNumber:
		is = "the number " + shorten(n.text)
	case kindBool:
		is = n.text
	case kindList:
		is = "a list"
	case kindMapping:
		is = "a mapping"
	case kindBad:
		return n.text
	}
	return "must be " + want + ", not " + is
}
