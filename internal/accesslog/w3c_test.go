package accesslog

import (
	"strings"
	"testing"
)

func w3c(t *testing.T, fields string) Layout {
	t.Helper()
	l, directive, err := w3cFormat{}.Directive([]byte("#Fields: " + fields))
	if err != nil || !directive || l == nil {
		t.Fatalf("#Fields: %s gives %v, %v, %v", fields, l, directive, err)
	}
	return l
}

const (
	iisFields        = "date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) cs(Referer) sc-status"
	cloudFrontFields = "date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) cs(Referer) sc-status cs(Host) x-host-header"
)

func TestW3CTakesWhatServersWrite(t *testing.T) {
	for _, c := range []struct {
		name, fields, line string
		want               event
	}{
		{"spaces", iisFields, "2026-03-02 09:15:00 GET / - 192.0.2.1 curl/8 - 200", hello},
		{"tabs", iisFields, "2026-03-02\t09:15:00\tGET\t/\t-\t192.0.2.1\tcurl/8\t-\t200", hello},
		{"runs of spaces", iisFields, " 2026-03-02  09:15:00 GET   / - 192.0.2.1 curl/8 - 200 ", hello},
		{"empty values between tabs", iisFields, "2026-03-02\t09:15:00\tGET\t/\t\t192.0.2.1\tcurl/8\t\t200", hello},
		{"fraction of a second", iisFields, "2026-03-02 09:15:00.999 GET / - 192.0.2.1 curl/8 - 200", hello},
		{"names in any case", strings.ToUpper(iisFields), "2026-03-02 09:15:00 GET / - 192.0.2.1 curl/8 - 200", hello},
		{"milliseconds", "timestamp(ms) cs-method cs-uri-stem c-ip cs(User-Agent) sc-status", "1772442900999 GET / 192.0.2.1 curl/8 200", hello},
		{"seconds", "timestamp cs-method cs-uri-stem c-ip cs(User-Agent) sc-status", "1772442900 GET / 192.0.2.1 curl/8 200", hello},
		{"hours of a zone", "timestamp cs-method cs-uri-stem c-ip cs(User-Agent) sc-status", "2026-03-02T11:15:00+02 GET / 192.0.2.1 curl/8 200", hello},
		{"whole URL", "timestamp cs-method cs-uri c-ip cs(User-Agent) sc-status", "1772442900 GET /?a=b 192.0.2.1 curl/8 200",
			but(func(e *event) { e.Target = "/?a=b" })},
		{"a name twice", "timestamp cs-method cs-uri-stem c-ip cs(User-Agent) sc-status sc-status", "1772442900 GET / 192.0.2.1 curl/8 200 404", hello},
		{"query", iisFields, "2026-03-02 09:15:00 GET / a=b&c 192.0.2.1 curl/8 - 200", but(func(e *event) { e.Target = "/?a=b&c" })},
		{"bytes that are not UTF-8", iisFields, "2026-03-02 09:15:00 GET /caf\xe9 - 192.0.2.1 curl/8 - 200", but(func(e *event) { e.Target = "/caf%E9" })},
		{"port of the client", iisFields, "2026-03-02 09:15:00 GET / - 192.0.2.1:4711 curl/8 - 200", hello},
		{"host with port", iisFields + " cs-host", "2026-03-02 09:15:00 GET / - 192.0.2.1 curl/8 - 200 acme.com:8080",
			but(func(e *event) { e.Host = "acme.com" })},
		{"percent signs in a path", iisFields, "2026-03-02 09:15:00 GET /%2541 - 192.0.2.1 curl/8 - 200", but(func(e *event) { e.Target = "/%2541" })},
		{"plus signs for spaces", iisFields, "2026-03-02 09:15:00 GET / - 192.0.2.1 a+(b;+c)+d - 200",
			but(func(e *event) { e.UserAgent = "a (b; c) d" })},
		{"plus signs that are", iisFields, "2026-03-02 09:15:00 GET / - 192.0.2.1 X/1+(+https://x.example;++https://y.example) - 200",
			but(func(e *event) { e.UserAgent = "X/1 (+https://x.example; +https://y.example)" })},
		{"no plus sign", iisFields, "2026-03-02 09:15:00 GET / - 192.0.2.1 My%App - 200", but(func(e *event) { e.UserAgent = "My%App" })},
		{"percent signs for spaces", iisFields, "2026-03-02 09:15:00 GET / - 192.0.2.1 a%20(+b) - 200",
			but(func(e *event) { e.UserAgent = "a (+b)" })},
		{"quotes around spaces", iisFields, `2026-03-02 09:15:00 GET / - 192.0.2.1 "a (b; +c)" "-" 200`,
			but(func(e *event) { e.UserAgent = "a (b; +c)" })},
		{"doubled quotes", iisFields, `2026-03-02 09:15:00 GET / - 192.0.2.1 "a ""b"" c" - 200`, but(func(e *event) { e.UserAgent = `a "b" c` })},
		{"escaped quotes", iisFields, `2026-03-02 09:15:00 GET / - 192.0.2.1 "a \"b\" c" - 200`, but(func(e *event) { e.UserAgent = `a "b" c` })},
		{"a quote that is not closed", iisFields, `2026-03-02 09:15:00 GET / - 192.0.2.1 "a - 200`, but(func(e *event) { e.UserAgent = `"a` })},
		{"CloudFront, encoded once", cloudFrontFields, "2026-03-02\t09:15:00\tGET\t/\t-\t192.0.2.1\ta%20(+b;%20%22c%22)\t-\t200\td1.cloudfront.net\t-",
			but(func(e *event) { e.Host, e.UserAgent = "d1.cloudfront.net", `a (+b; "c")` })},
		{"CloudFront, encoded twice", cloudFrontFields, "2026-03-02\t09:15:00\tGET\t/\t-\t192.0.2.1\ta%2520(+b;%2520%2522c%2522)\t-\t200\td1.cloudfront.net\tacme.com",
			but(func(e *event) { e.Host, e.UserAgent = "acme.com", `a (+b; "c")` })},
		{"CloudFront, an app that encodes itself", cloudFrontFields, "2026-03-02\t09:15:00\tGET\t/\t-\t192.0.2.1\tMy%2520App/1%20CFNetwork/1490\t-\t200\td1.cloudfront.net\tacme.com",
			but(func(e *event) { e.Host, e.UserAgent = "acme.com", "My%20App/1 CFNetwork/1490" })},
		{"CloudFront, percent signs that escape nothing", cloudFrontFields, "2026-03-02\t09:15:00\tGET\t/%25\t-\t192.0.2.1\ta%20%zz%2\t-\t200\td1.cloudfront.net\tacme.com",
			but(func(e *event) { e.Host, e.Target, e.UserAgent = "acme.com", "/%25", "a %zz%2" })},
		{"CloudFront, URLs encoded again", cloudFrontFields, "2026-03-02\t09:15:00\tGET\t/caf%25C3%25A9\tq=100%2525\t192.0.2.1\tcurl/8\thttps://x.example/%2520\t200\td1.cloudfront.net\tacme.com",
			but(func(e *event) {
				e.Host, e.Target, e.Referrer = "acme.com", "/caf%C3%A9?q=100%25", "https://x.example/%20"
			})},
		{"CloudFront, URLs as they are", cloudFrontFields, "2026-03-02\t09:15:00\tGET\t/caf%C3%A9\tq=100%25\t192.0.2.1\tcurl/8\t-\t200\td1.cloudfront.net\tacme.com",
			but(func(e *event) { e.Host, e.Target = "acme.com", "/caf%C3%A9?q=100%25" })},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, w3c(t, c.fields), c.line, c.want) })
	}
}

func TestW3CSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, line, verdict string }{
		{"empty line", "", "skip: empty line"},
		{"directive", "#Date: 2026-03-02 00:00:00", "skip: W3C directive"},
		{"nobody left to answer", "2026-03-02 09:15:00 GET / - 192.0.2.1 curl/8 - 000", "skip: no answer was sent"},
		{"no method", "2026-03-02 09:15:00 - / - 192.0.2.1 curl/8 - 400", "skip: no request was read"},
		{"no path", "2026-03-02 09:15:00 GET - - 192.0.2.1 curl/8 - 400", "skip: request line without a target"},
		{"of the server as a whole", "2026-03-02 09:15:00 OPTIONS * - 192.0.2.1 curl/8 - 200", "skip: request for no page"},
		{"cut", "2026-03-02 09:15:00 GET / - 192.0.2.1 cur", "bad: wrong number of values"},
		{"a value too many", "2026-03-02 09:15:00 GET / - 192.0.2.1 curl/8 - 200 x", "bad: wrong number of values"},
		{"status of letters", "2026-03-02 09:15:00 GET / - 192.0.2.1 curl/8 - OK", "bad: bad status"},
		{"no date", "- 09:15:00 GET / - 192.0.2.1 curl/8 - 200", "bad: bad time"},
		{"30 February", "2026-02-30 09:15:00 GET / - 192.0.2.1 curl/8 - 200", "bad: bad time"},
		{"24 o'clock", "2026-03-02 24:00:00 GET / - 192.0.2.1 curl/8 - 200", "bad: bad time"},
		{"before 1970", "1969-12-31 09:15:00 GET / - 192.0.2.1 curl/8 - 200", "bad: bad time"},
		{"no seconds", "2026-03-02 09:15 GET / - 192.0.2.1 curl/8 - 200", "bad: bad time"},
		{"odd fraction", "2026-03-02 09:15:00.x GET / - 192.0.2.1 curl/8 - 200", "bad: bad time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, verdict := parse(w3c(t, iisFields), c.line); verdict != c.verdict {
				t.Errorf("%s\nis %q, want %q", c.line, verdict, c.verdict)
			}
		})
	}
}

func TestBadTimestampsAreRefused(t *testing.T) {
	l := w3c(t, "timestamp(ms) cs-method cs-uri-stem c-ip cs(User-Agent) sc-status")
	if _, verdict := parse(l, "soon GET / 192.0.2.1 curl/8 200"); verdict != "bad: bad time" {
		t.Errorf("the verdict is %q", verdict)
	}
}

func TestFieldsThatAreNeededAreNamed(t *testing.T) {
	for _, c := range []struct{ name, fields, missing string }{
		{"user agent", "date time cs-method cs-uri-stem sc-status", "no cs(User-Agent): add it"},
		{"several", "time cs-uri-stem cs(User-Agent)", "no date, no cs-method, no sc-status:"},
		{"path", "date time cs-method cs-uri-query sc-status cs(User-Agent)", "no cs-uri-stem:"},
		{"all", "", "no date, no time, no cs-method, no cs-uri-stem, no sc-status, no cs(User-Agent):"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, directive, err := w3cFormat{}.Directive([]byte("#Fields: " + c.fields))
			if l != nil || !directive || err == nil || !strings.Contains(err.Error(), c.missing) {
				t.Errorf("#Fields: %s gives %v, %v, %v", c.fields, l, directive, err)
			}
		})
	}
}

func TestOnlyFieldsGiveALayout(t *testing.T) {
	for line, directive := range map[string]bool{"#Version: 1.0": true, "#": true, "": false, "2026-03-02 #Fields: x": false} {
		l, is, err := w3cFormat{}.Directive([]byte(line))
		if l != nil || is != directive || err != nil {
			t.Errorf("%q gives %v, %v, %v", line, l, is, err)
		}
	}
	if (w3cFormat{}).Layout() != nil {
		t.Error("there is a layout before #Fields")
	}
	for _, f := range formats {
		if _, is, _ := f.Directive([]byte("#Fields: " + iisFields)); is != (f.Name() == "w3c") {
			t.Errorf("%s: a line of #Fields is a directive: %v", f.Name(), is)
		}
	}
}
