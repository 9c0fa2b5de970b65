package accesslog

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parse is the verdict on one line: its event, or the reason why there is none,
// "skip: …" or "bad: …".
func parse(l Layout, line string) (event, string) {
	var h Hit
	err := l.Parse([]byte(line), &h)
	var skip *Skip
	var bad *Bad
	switch {
	case errors.As(err, &skip):
		return event{}, "skip: " + skip.Reason
	case errors.As(err, &bad):
		return event{}, "bad: " + bad.Reason
	}
	return eventOf(&h), ""
}

// expect compares one line's event.
func expect(t *testing.T, l Layout, line string, want event) {
	t.Helper()
	got, verdict := parse(l, line)
	if verdict != "" {
		t.Fatalf("%s\nis %s", line, verdict)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n(-want +got):\n%s", line, diff)
	}
}

// hello is a plain request that the cases below differ from.
var hello = event{
	Time: "2026-03-02T09:15:00Z", Method: "GET", Status: 200, Target: "/", UserAgent: "curl/8", IP: "192.0.2.1",
}

// but is hello with a difference.
func but(change func(*event)) event {
	e := hello
	change(&e)
	return e
}

func TestCombinedTakesWhatServersWrite(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       event
	}{
		{"plain", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"carriage return", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"` + "\r", hello},
		{"byte order mark", "\uFEFF" + `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"no size", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 - "-" "curl/8"`, hello},
		{"more numbers before the referrer", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 0.012 "-" "curl/8"`, hello},
		{"forwarded-for after the user agent", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8" "10.0.0.1, 10.0.0.2"`, hello},
		{"numbers after the user agent", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8" 0.001 0.002 .`, hello},
		{"fields of Traefik's own", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8" 12 "web@docker" "http://10.0.0.2:80" 3ms`, hello},
		{"HTTP/2", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/2.0" 200 5 "-" "curl/8"`, hello},
		{"HTTP/3", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/3" 200 5 "-" "curl/8"`, hello},
		{"user", `192.0.2.1 - editor [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"user with spaces", `192.0.2.1 - night editor 2 [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"user with quotes", `192.0.2.1 - "" [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"user with brackets", `192.0.2.1 - [x] [y [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"user who looks like a time", `192.0.2.1 - [01/Jan/1999:00:00:00 +0000] [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"user who looks like a request", `192.0.2.1 - [01/Jan/1999:00:00:00 +0000] \x22GET [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"offset west", `192.0.2.1 - - [01/Mar/2026:21:45:00 -1130] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"offset east", `192.0.2.1 - - [02/Mar/2026:23:15:00 +1400] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"IPv6", `2001:db8::1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.IP = "2001:db8::1" })},
		{"port of the client", `192.0.2.1:4711 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"IPv6 and port of the client", `[2001:db8::1]:4711 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.IP = "2001:db8::1" })},
		{"list of proxies", `192.0.2.1, 10.0.0.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, hello},
		{"no client", `- - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`, but(func(e *event) { e.IP = "" })},
		{"name of the client", `crawl.example - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.IP = "crawl.example" })},
		{"space in the path", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /a b c HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.Target = "/a b c" })},
		{"absolute target", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET http://u@acme.com:8080/x?y HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.Host, e.Target = "acme.com", "http://u@acme.com:8080/x?y" })},
		{"absolute target without a host", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET http:///x HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.Target = "http:///x" })},
		{"absolute target of another kind", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET ftp://acme.com/x HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.Target = "ftp://acme.com/x" })},
		{"bytes that are not UTF-8, by Apache", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /caf\xe9/\xc3\xa9?q=\xfc HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.Target = "/caf%E9/é?q=%FC" })},
		{"bytes that are not UTF-8, by nginx", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /caf\xE9/\xC3\xA9?q=\xFC HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.Target = "/caf%E9/é?q=%FC" })},
		{"bytes that are not UTF-8, as they are", "192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] \"GET /\xff\uFFFD HTTP/1.1\" 200 5 \"-\" \"curl/8\"",
			but(func(e *event) { e.Target = "/%FF\uFFFD" })},
		{"Apache's escapes", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /\"a\\b HTTP/1.1" 200 5 "\\\"" "\"q\" \\ \n\t\xe3\x82\xa2"`,
			but(func(e *event) { e.Target, e.Referrer, e.UserAgent = `/"a\b`, `\"`, "\"q\" \\ \n\tア" })},
		{"nginx's escapes", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /\x22a\x5Cb HTTP/1.1" 200 5 "\x5C\x22" "\x22q\x22 \x5C \x0A\x09\xE3\x82\xA2"`,
			but(func(e *event) { e.Target, e.Referrer, e.UserAgent = `/"a\b`, `\"`, "\"q\" \\ \n\tア" })},
		{"the last status", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 599 5 "-" "curl/8"`,
			but(func(e *event) { e.Status = 599 })},
		{"control characters", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "\r\b\v\f"`,
			but(func(e *event) { e.UserAgent = "\r\b\v\f" })},
		{"escapes of nobody's", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "C:\Users \xZZ \x4"`,
			but(func(e *event) { e.UserAgent = `C:\Users \xZZ \x4` })},
		{"backslash at the end of the target", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /\ HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.Target = `/\` })},
		{"bracket that is not closed", `[2001:db8::1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`,
			but(func(e *event) { e.IP = "[2001:db8::1" })},
		{"escaped quote and space at the start", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "\" x"`,
			but(func(e *event) { e.UserAgent = `" x` })},
		{"quotes without escapes", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "a "b"c"`,
			but(func(e *event) { e.UserAgent = `a "b"c` })},
		{"a user agent of a hyphen", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"`,
			but(func(e *event) { e.UserAgent = "" })},
		{"an empty user agent", `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "" ""`,
			but(func(e *event) { e.UserAgent = "" })},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, combinedFormat{}, c.line, c.want) })
	}
}

func TestCombinedSaysWhatIsWrong(t *testing.T) {
	const before = `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] `
	for _, c := range []struct{ name, line, verdict string }{
		{"empty line", ``, "skip: empty line"},
		{"TLS bytes", before + `"\x16\x03\x01" 400 0 "-" "-"`, "skip: request line is not HTTP"},
		{"TLS bytes with spaces", before + `"\x16\x03 \x01 \xff" 400 0 "-" "-"`, "skip: request line is not HTTP"},
		{"raw bytes", before + "\"\x16\x03\x01\" 400 0 \"-\" \"-\"", "skip: request line is not HTTP"},
		{"SSH", before + `"SSH-2.0-Go" 400 0 "-" "-"`, "skip: request line is not HTTP"},
		{"empty request", before + `"" 400 0 "-" "-"`, "skip: no request was read"},
		{"no request", before + `"-" 408 0 "-" "-"`, "skip: no request was read"},
		{"only a method", before + `"GET" 400 0 "-" "-"`, "skip: request line without a target"},
		{"no target", before + `"GET  HTTP/1.1" 400 0 "-" "-"`, "skip: request line without a target"},
		{"no protocol", before + `"GET /" 200 0 "-" "-"`, "skip: request line without a protocol"},
		{"no protocol after a space", before + `"GET /a b" 200 0 "-" "-"`, "skip: request line without a protocol"},
		{"no path", before + `"GET xyz HTTP/1.1" 400 0 "-" "-"`, "skip: request line is not HTTP"},
		{"Apache talks to itself", before + `"OPTIONS * HTTP/1.0" 200 126 "-" "Apache/2.4.71 (Debian) (internal dummy connection)"`, "skip: request for no page"},
		{"CONNECT", before + `"CONNECT acme.com:443 HTTP/1.1" 405 5 "-" "-"`, "skip: request for no page"},
		{"control character", before + `"GET /\x01 HTTP/1.1" 400 5 "-" "-"`, "skip: request for no page"},
		{"line break", before + `"GET /a\nb HTTP/1.1" 400 5 "-" "-"`, "skip: request for no page"},
		{"DEL", before + `"GET /\x7f HTTP/1.1" 400 5 "-" "-"`, "skip: request for no page"},
		{"nobody left to answer", before + `"GET / HTTP/1.1" 000 0 "-" "-"`, "skip: no answer was sent"},
		{"HTTP/0.9 by nginx", before + `"GET / HTTP/0.9" 009 0 "-" "-"`, "skip: no answer was sent"},
		{"common log format", before + `"GET / HTTP/1.1" 200 5`, "bad: missing field: user agent"},
		{"referrer alone", before + `"GET / HTTP/1.1" 200 5 "-"`, "bad: missing field: user agent"},
		{"status of letters", before + `"GET / HTTP/1.1" OK 5 "-" "-"`, "bad: bad status"},
		{"status just too large", before + `"GET / HTTP/1.1" 600 5 "-" "-"`, "bad: bad status"},
		{"status too large", before + `"GET / HTTP/1.1" 999 5 "-" "-"`, "bad: bad status"},
		{"status too long", before + `"GET / HTTP/1.1" 2000 5 "-" "-"`, "bad: bad status"},
		{"no status", before + `"GET / HTTP/1.1" `, "bad: bad status"},
		{"request is cut", before + `"GET / HT`, "bad: no closing quote"},
		{"referrer is cut", before + `"GET / HTTP/1.1" 200 5 "https://exa`, "bad: no closing quote"},
		{"user agent is cut", before + `"GET / HTTP/1.1" 200 5 "-" "Mozilla/5.0 (X11; `, "bad: no closing quote"},
		{"user agent is cut after an escape", before + `"GET / HTTP/1.1" 200 5 "-" "a\"`, "bad: no closing quote"},
		{"no request after the time", before + `GET / 200`, "bad: missing field: request"},
		{"the line is cut after the time", strings.TrimSpace(before), "bad: missing field: request"},
		{"month of nobody's", `192.0.2.1 - - [02/Mai/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"`, "bad: bad time"},
		{"30 February", `192.0.2.1 - - [30/Feb/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"`, "bad: bad time"},
		{"25 o'clock", `192.0.2.1 - - [02/Mar/2026:25:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"`, "bad: bad time"},
		{"before 1970", `192.0.2.1 - - [01/Jan/1970:00:00:00 +0100] "GET / HTTP/1.1" 200 5 "-" "-"`, "bad: bad time"},
		{"no time", `hello world`, "bad: bad time"},
		{"NUL bytes", strings.Repeat("\x00", 64), "bad: bad time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, verdict := parse(combinedFormat{}, c.line); verdict != c.verdict {
				t.Errorf("%s\nis %q, want %q", c.line, verdict, c.verdict)
			}
		})
	}
}

func TestVHostCombinedReadsTheServer(t *testing.T) {
	const after = ` - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`
	for _, c := range []struct{ name, before, host, ip string }{
		{"Apache's", "acme.com:443 192.0.2.1", "acme.com", "192.0.2.1"},
		{"without port", "acme.com 192.0.2.1", "acme.com", "192.0.2.1"},
		{"no number for a port", "acme.com:x 192.0.2.1", "acme.com:x", "192.0.2.1"},
		{"no name", "- 192.0.2.1", "", "192.0.2.1"},
		{"IPv6 everywhere", "[2001:db8::2]:443 2001:db8::1", "[2001:db8::2]", "2001:db8::1"},
		{"IPv6 without brackets", "2001:db8::2 2001:db8::1", "2001:db8::2", "2001:db8::1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, combinedFormat{vhost: true}, c.before+after, but(func(e *event) { e.Host, e.IP = c.host, c.ip }))
		})
	}
	if _, verdict := parse(combinedFormat{vhost: true}, "192.0.2.1"+after); verdict != "bad: missing field: host" {
		t.Errorf("a line without a server is %q", verdict)
	}
}

func TestVerdictsExplainThemselves(t *testing.T) {
	var h Hit
	err := combinedFormat{}.Parse([]byte(`192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" OK 5 "-" "-"`), &h)
	if got := err.Error(); got != `bad status: "OK"` {
		t.Errorf("the error is %q", got)
	}
	err = combinedFormat{}.Parse([]byte(`192.0.2.1 - - [30/Feb/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"`), &h)
	if got := err.Error(); got != `bad time: "30/Feb/2026:09:15:00 +0000"` {
		t.Errorf("the error is %q", got)
	}
	if err := (combinedFormat{}).Parse(nil, &h); err == nil || err.Error() != "empty line" {
		t.Errorf("the error is %q", err)
	}
	err = combinedFormat{}.Parse([]byte(`192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /`), &h)
	if got := err.Error(); got != "no closing quote" {
		t.Errorf("the error is %q", got)
	}
	err = combinedFormat{}.Parse([]byte(strings.Repeat("x", 1<<20)), &h)
	if got := len(err.Error()); got > 200 {
		t.Errorf("the error about a long line has %d bytes", got)
	}
}

func TestAHugeLineLeavesNoHugeBuffer(t *testing.T) {
	var h Hit
	line := `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "` + strings.Repeat(`\x41`, 1<<20) + `"`
	if err := (combinedFormat{}).Parse([]byte(line), &h); err != nil || len(h.UserAgent) != 1<<20 {
		t.Fatalf("the user agent has %d bytes: %v", len(h.UserAgent), err)
	}
	if err := (combinedFormat{}).Parse(nil, &h); err != error(skipEmpty) || cap(h.scratch) > maxScratch {
		t.Errorf("%d bytes are kept: %v", cap(h.scratch), err)
	}
}
