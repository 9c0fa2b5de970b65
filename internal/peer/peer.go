// Package peer says where a request comes from, also behind proxies that are
// trusted to know, and which addresses count as one.
package peer

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are networks whose word on where a request comes from is believed.
type Proxies []netip.Prefix

// ParseProxies reads addresses and networks, such as 10.0.0.7 and 10.0.0.0/24.
func ParseProxies(list []string) (all Proxies, err error) {
	for _, s := range list {
		p, err := parse(s)
		if err != nil {
			return nil, fmt.Errorf("%s: write an address or a network, such as 10.0.0.7 or 10.0.0.0/24", s)
		}
		all = append(all, p)
	}
	return all, nil
}

func parse(s string) (netip.Prefix, error) {
	if strings.Contains(s, "/") {
		p, err := netip.ParsePrefix(s)
		return p.Masked(), err
	}
	addr, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	return addr.Unmap().Prefix(addr.Unmap().BitLen())
}

// Trust says whether an address is one of the proxies'.
func (p Proxies) Trust(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(a) })
}

// Caller is where a request comes from: behind the proxies, the last address that
// one of them noted and that is not one of theirs. What stands before it in the
// header anyone may have written.
func (p Proxies) Caller(r *http.Request) netip.Addr {
	caller := Of(r)
	if !p.Trust(caller) {
		return caller
	}
	noted := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(noted) - 1; i >= 0 && p.Trust(caller); i-- {
		a, err := netip.ParseAddr(strings.TrimSpace(noted[i]))
		if err != nil {
			break
		}
		caller = a.Unmap().WithZone("")
	}
	return caller
}

// Of is who is at the other end of the connection.
func Of(r *http.Request) netip.Addr {
	other, _ := netip.ParseAddrPort(r.RemoteAddr)
	return other.Addr().Unmap().WithZone("")
}

// Network is what counts as one address: of IPv6 the network of 64 bits, since
// one person has all of it.
func Network(a netip.Addr) netip.Prefix {
	bits := 32
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits)
	return p
}
