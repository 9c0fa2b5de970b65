package weburl

import (
	"errors"
	"strconv"
	"strings"
)

var (
	errEmpty   = errors.New("empty")
	errTooLong = errors.New("longer than " + strconv.Itoa(MaxURL) + " bytes")
	errControl = errors.New("contains a control character")
	errNotHTTP = errors.New("not an http(s) URL")
	errNotPage = errors.New("neither an http(s) URL nor a path")
	errHost    = errors.New("no valid host")
)

// ValidURL reports whether s is an absolute http or https URI that can be
// published as it is: a plausible host, no user name, nothing left to escape.
// A host beyond ASCII has to be written in its "xn--" form.
func ValidURL(s string) bool {
	scheme, authority, rest, ok := splitHTTP(s)
	if !ok || len(s) > MaxURL || strings.Contains(authority, "@") {
		return false
	}
	host, _, err := parseAuthority(scheme, authority)
	if err != nil || !isASCII(authority) {
		return false
	}
	before, fragment, _ := strings.Cut(rest, "#")
	return isURI(before) && isURI(fragment) && (host[0] == '[' || ValidDomain(host))
}

// split cuts a URL behind its scheme and behind its authority. The scheme is
// returned in lower case.
func split(raw string) (scheme, authority, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(raw, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		return strings.ToLower(scheme), rest[:i], rest[i:], ok
	}
	return strings.ToLower(scheme), rest, "", ok
}

// splitHTTP is split for http and https alone.
func splitHTTP(raw string) (scheme, authority, rest string, ok bool) {
	// Most calls are for a path; this keeps them cheap.
	if raw == "" || raw[0] != 'h' && raw[0] != 'H' {
		return "", "", "", false
	}
	scheme, authority, rest, ok = split(raw)
	return scheme, authority, rest, ok && (scheme == "http" || scheme == "https")
}

// parseAuthority returns the host in lower case and ASCII form without
// trailing dots, and the port unless it is the scheme's own. User names and
// passwords are dropped.
//
// A backslash is refused even there: browsers read "http://a.com\@b.com" as a
// page of a.com, RFC 3986 as one of b.com.
func parseAuthority(scheme, authority string) (host, port string, err error) {
	if strings.Contains(authority, `\`) {
		return "", "", errHost
	}
	host, port, ok := splitPort(authority[strings.LastIndexByte(authority, '@')+1:])
	host = asciiHost(strings.ToLower(strings.TrimRight(host, ".")))
	if !ok || !validHost(host) {
		return "", "", errHost
	}
	if port == "" {
		return host, "", nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || !isNumber(port) {
		return "", "", errHost
	}
	if scheme == "http" && n == 80 || scheme == "https" && n == 443 {
		return host, "", nil
	}
	return host, strconv.FormatUint(n, 10), nil
}
