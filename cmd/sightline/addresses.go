package main

import (
	"fmt"
	"net"
	"net/netip"
)

// checkAddress refuses what cannot be listened on whatever the machine.
func checkAddress(flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return usageError{fmt.Errorf("%s %q is no address: write host and port, such as 127.0.0.1:8080", flag, address)}
	}
	return nil
}

// sameAddress says whether two of them cannot be listened on at once.
func sameAddress(a, b string) bool {
	hostA, portA, _ := net.SplitHostPort(a)
	hostB, portB, _ := net.SplitHostPort(b)
	return portA == portB && portA != "0" && (hostA == hostB || everywhere(a) || everywhere(b))
}

// everywhere says whether an address stands for all that the machine has.
func everywhere(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	ip, err := netip.ParseAddr(host)
	return host == "" || err == nil && ip.IsUnspecified()
}

// shownAddress is an address as it was given, with the port that it got: the system
// calls 0.0.0.0 [::].
func shownAddress(given string, got net.Addr) string {
	host, _, err := net.SplitHostPort(given)
	_, port, errGot := net.SplitHostPort(got.String())
	if err != nil || errGot != nil || host == "" {
		return got.String()
	}
	return net.JoinHostPort(host, port)
}
