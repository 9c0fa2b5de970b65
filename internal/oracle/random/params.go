package random

import (
	"fmt"
	"net/url"
	"strings"

	"pgregory.net/rapid"
)

// param is a query parameter with the values it is sent with.
type param struct {
	name   string
	values []string
}

type params []param

// add puts values behind those that a parameter already has.
func (p *params) add(name string, values ...string) {
	for i := range *p {
		if (*p)[i].name == name {
			(*p)[i].values = append((*p)[i].values, values...)
			return
		}
	}
	*p = append(*p, param{name, values})
}

// set replaces the values of a parameter.
func (p *params) set(name string, values ...string) {
	p.drop(name)
	p.add(name, values...)
}

func (p *params) drop(name string) {
	var kept params
	for _, one := range *p {
		if one.name != name {
			kept = append(kept, one)
		}
	}
	*p = kept
}

func (p *params) get(name string) []string {
	for _, one := range *p {
		if one.name == name {
			return one.values
		}
	}
	return nil
}

// encode writes the query string, the parameters in any order and in any of
// the spellings that mean the same.
func (p *params) encode(t *rapid.T) string {
	var pairs []string
	for _, one := range shuffled(t, *p) {
		for _, value := range one.values {
			pairs = append(pairs, encodeName(t, one.name)+"="+encodeValue(t, value))
		}
	}
	return strings.Join(pairs, "&")
}

func encodeName(t *rapid.T, name string) string {
	brackets := pick(t, []string{"[]", "%5B%5D", "%5b%5d"})
	return strings.Replace(name, "[]", brackets, 1)
}

func encodeValue(t *rapid.T, value string) string {
	switch upTo(t, 10) {
	case 0, 1, 2:
		return url.QueryEscape(value)
	case 3:
		return escape(value, func(byte) bool { return false })
	default:
		return escape(value, func(c byte) bool {
			return c > ' ' && c < 0x7f && !strings.ContainsRune(`%&+#;=[]\"<>^{|}`+"`", rune(c))
		})
	}
}

// escape percent-encodes all bytes but the plain ones.
func escape(value string, plain func(byte) bool) string {
	var out strings.Builder
	for i := range len(value) {
		if plain(value[i]) {
			out.WriteByte(value[i])
		} else {
			fmt.Fprintf(&out, "%%%02X", value[i])
		}
	}
	return out.String()
}
