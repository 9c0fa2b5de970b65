package ingest

import (
	"bytes"
	"net/netip"
	"regexp"
)

// What may be an address of IPv6, and one of IPv4.
var (
	hexAndColon = regexp.MustCompile(`[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,}(?:(?:\.[0-9]{1,3}){3})?`)
	fourNumbers = regexp.MustCompile(`[0-9]{1,3}(?:\.[0-9]{1,3}){3}`)
)

// withoutAddresses puts nobody's address into the place of every address in a
// text. Version numbers of browsers may look like one, and go too.
func withoutAddresses(text []byte) []byte {
	text = hexAndColon.ReplaceAllFunc(text, func(found []byte) []byte {
		for end := len(found); end > 0; end = bytes.LastIndexByte(found[:end], ':') { // a port may follow
			if _, err := netip.ParseAddr(string(found[:end])); err == nil {
				return append([]byte("::"), found[end:]...)
			}
		}
		return found // a time of day, for instance
	})
	return fourNumbers.ReplaceAll(text, []byte("0.0.0.0"))
}
