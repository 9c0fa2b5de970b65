package weburl

import "strings"

// Page is what a pageview's URL tells.
type Page struct {
	Host      string // bare domain; empty where only a path was sent
	Path      string // as sent, without query and fragment; never empty
	UTMSource string // lower case; empty where there is none
}

// ParsePage reads the URL of a pageview or of a log line: an absolute http or
// https URL, or a path that starts with a slash.
func ParsePage(raw string) (Page, error) {
	if raw == "" {
		return Page{}, errEmpty
	}
	if len(raw) > MaxURL {
		return Page{}, errTooLong
	}
	if strings.ContainsFunc(raw, isControl) {
		return Page{}, errControl
	}
	var page Page
	rest := raw
	if raw[0] != '/' {
		scheme, authority, after, ok := splitHTTP(raw)
		if !ok {
			return Page{}, errNotPage
		}
		host, _, err := parseAuthority(scheme, authority)
		if err != nil {
			return Page{}, err
		}
		page.Host, rest = BareDomain(host), after
	}
	rest, _, _ = strings.Cut(rest, "#")
	path, query, _ := strings.Cut(rest, "?")
	page.Path, page.UTMSource = path, utmSource(query)
	if path == "" {
		page.Path = "/"
	}
	return page, nil
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

// utmSource returns the first utm_source of a query that says something.
func utmSource(query string) string {
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if value == "" || !strings.EqualFold(unescape(name), "utm_source") {
			continue
		}
		source := strings.ToLower(strings.ToValidUTF8(formValue(value), "\uFFFD"))
		if source = strings.TrimSpace(source); source != "" {
			return source
		}
	}
	return ""
}

// Referrer is where a visit came from.
type Referrer struct {
	App  bool   // an Android app: Host is its package
	Host string // bare domain
	Path string // without query and fragment; never empty
}

// ParseReferrer reads a referrer with a scheme of the web or of Android apps.
// It is not ok where there is none to read: empty, "-", "about:blank", garbage.
func ParseReferrer(raw string) (r Referrer, ok bool) {
	scheme, authority, rest, ok := split(strings.TrimSpace(raw))
	app := scheme == "android-app"
	if !ok || !app && scheme != "http" && scheme != "https" {
		return Referrer{}, false
	}
	host, _, err := parseAuthority(scheme, authority)
	if err != nil {
		return Referrer{}, false
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if rest == "" {
		rest = "/"
	}
	return Referrer{App: app, Host: BareDomain(host), Path: rest}, true
}

// ReferrerHost returns the bare host of a referrer, or "" where there is none.
func ReferrerHost(raw string) string {
	r, _ := ParseReferrer(raw)
	return r.Host
}
