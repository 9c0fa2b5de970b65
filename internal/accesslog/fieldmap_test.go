package accesslog

import (
	"strings"
	"testing"
)

func fieldMap(t *testing.T, text string) Layout {
	t.Helper()
	f, err := ParseFieldMap(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name() != "fields" {
		t.Errorf("the format is called %s", f.Name())
	}
	return f.Layout()
}

func TestAFieldMapReadsAnyJSON(t *testing.T) {
	const pino = `{"time":"time","method":"req.method","status":"res.statusCode","host":"req.headers.host","target":"req.url",
		"userAgent":"req.headers.user-agent","referrer":"req.headers.referer","ip":"req.ips[0]"}`
	for _, c := range []struct {
		name, fields, line string
		want               event
	}{
		{"all fields", pino, `{"level":30,"time":1772442900123,"req":{"method":"POST","url":"/x","ips":["192.0.2.1","10.0.0.1"],"headers":{"host":"acme.com:80","user-agent":"curl/8","referer":"https://x.example/"}},"res":{"statusCode":201}}`,
			but(func(e *event) {
				e.Method, e.Status, e.Host, e.Target, e.Referrer = "POST", 201, "acme.com", "/x", "https://x.example/"
			})},
		{"GET and 200 unless said", pino, `{"time":"2026-03-02T09:15:00Z","req":{"url":"/","ips":["192.0.2.1"],"headers":{"user-agent":"curl/8"}}}`, hello},
		{"no user agent among the headers", pino, `{"time":"02/Mar/2026:09:15:00 +0000","req":{"url":"/","ips":["192.0.2.1"],"headers":{}}}`,
			but(func(e *event) { e.UserAgent = "" })},
		{"dots in keys", `{"time":"@t","target":"http\\.target","userAgent":"http\\.user_agent","ip":"net\\.peer[0].ip"}`,
			`{"@t":"1772442900","http.target":"/","http.user_agent":"curl/8","net.peer":[{"ip":"192.0.2.1"}]}`, hello},
		{"one key for two fields", `{"time":"t","target":"url","host":"url","userAgent":"ua","ip":"ip"}`,
			`{"t":1772442900,"url":"/","ua":"curl/8","ip":"192.0.2.1"}`, but(func(e *event) { e.Host = "/" })},
		{"absolute URL", `{"time":"t","target":"url","userAgent":"ua","ip":"ip"}`,
			`{"t":1772442900,"url":"https://acme.com/a?b","ua":"curl/8","ip":"192.0.2.1"}`,
			but(func(e *event) { e.Host, e.Target = "acme.com", "https://acme.com/a?b" })},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, fieldMap(t, c.fields), c.line, c.want) })
	}
}

// Only headers are left out when they were not sent. A path that is wrong must
// not make bots of everybody.
func TestAUserAgentThatIsNotThereIsMissing(t *testing.T) {
	for _, c := range []struct{ name, path, line string }{
		{"no headers", "req.headers.user-agent", `{"t":1772442900,"url":"/","req":{}}`},
		{"no such header name", "req.headers.userAgent", `{"t":1772442900,"url":"/","req":{"headers":{"user-agent":"x"}}}`},
		{"no such key", "user-agent", `{"t":1772442900,"url":"/","ua":"x"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := fieldMap(t, `{"time":"t","target":"url","userAgent":"`+c.path+`"}`)
			if _, verdict := parse(l, c.line); verdict != "bad: missing field: user agent" {
				t.Errorf("the verdict is %q", verdict)
			}
		})
	}
}

func TestFieldMapsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no JSON", `time=ts`, "not a JSON object of names and paths"},
		{"empty", ``, "not a JSON object of names and paths"},
		{"a list", `["time"]`, "not a JSON object of names and paths"},
		{"a number for a path", `{"time":1}`, "not a JSON object of names and paths"},
		{"unknown names", `{"time":"ts","url":"u","agent":"a"}`,
			`has "agent", "url"; known are time, target, userAgent, method, status, host, referrer, ip`},
		{"missing names", `{"time":"ts"}`, "must also say where to find target, userAgent"},
		{"nothing", `{}`, "must also say where to find time, target, userAgent"},
		{"empty path", `{"time":"","target":"t","userAgent":"u"}`, `path "": a key is empty`},
		{"empty key", `{"time":"a..b","target":"t","userAgent":"u"}`, `path "a..b": a key is empty`},
		{"dot at the end", `{"time":"a.","target":"t","userAgent":"u"}`, `path "a.": a key is empty`},
		{"bracket alone", `{"time":"[0]","target":"t","userAgent":"u"}`, `path "[0]": a key is empty`},
		{"letters in brackets", `{"time":"a[b]","target":"t","userAgent":"u"}`, "brackets hold the index of a list"},
		{"open bracket", `{"time":"a[0","target":"t","userAgent":"u"}`, "brackets hold the index of a list"},
		{"negative index", `{"time":"a[-1]","target":"t","userAgent":"u"}`, "brackets hold the index of a list"},
		{"key after a bracket", `{"time":"a[0]b","target":"t","userAgent":"u"}`, "a dot or a bracket must follow"},
		{"backslash at the end", `{"time":"a\\","target":"t","userAgent":"u"}`, "nothing follows the last backslash"},
		{"too long", `{"time":"` + strings.Repeat("a", maxFieldMap) + `"}`, "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := ParseFieldMap(strings.NewReader(c.text))
			if f != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		})
	}
}
