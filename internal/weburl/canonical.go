package weburl

import (
	"slices"
	"strings"
)

// Canonical returns the form under which a cited URL is counted, and its
// domain. Scheme and host are in lower case; default port, user name, fragment
// and tracking parameters are gone; path and other parameters are as cited,
// except that what may not stand in a URI is escaped.
func Canonical(raw string) (url, domain string, err error) {
	raw = strings.Trim(raw, " \t\r\n\f")
	if raw == "" {
		return "", "", errEmpty
	}
	if len(raw) > MaxURL {
		return "", "", errTooLong
	}
	scheme, authority, rest, ok := splitHTTP(raw)
	if !ok {
		return "", "", errNotHTTP
	}
	host, port, err := parseAuthority(scheme, authority)
	if err != nil {
		return "", "", err
	}
	rest, _, _ = strings.Cut(rest, "#")
	path, query, _ := strings.Cut(rest, "?")
	url = scheme + "://" + host
	if port != "" {
		url += ":" + port
	}
	url += escapeURI(path)
	if query = withoutTracking(query); query != "" {
		url += "?" + escapeURI(query)
	}
	// Escapes make a URL longer; one that could not be read again is refused.
	if len(url) > MaxURL {
		return "", "", errTooLong
	}
	return url, BareDomain(host), nil
}

// withoutTracking drops the parameters that say how a link was found and
// nothing about the page behind it.
func withoutTracking(query string) string {
	parameters := strings.Split(query, "&")
	return strings.Join(slices.DeleteFunc(parameters, isTracking), "&")
}

func isTracking(parameter string) bool {
	name, _, _ := strings.Cut(parameter, "=")
	name = strings.ToLower(unescape(name))
	switch name {
	case "gclid", "fbclid", "msclkid", "srsltid":
		return true
	}
	return strings.HasPrefix(name, "utm_")
}
