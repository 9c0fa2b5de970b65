package accesslog

import (
	"strings"
	"testing"
)

func byName(t *testing.T, name string) Layout {
	t.Helper()
	f, err := ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return f.Layout()
}

func TestJSONLogsTakeWhatServersWrite(t *testing.T) {
	acme := but(func(e *event) { e.Host = "acme.com" })
	for _, c := range []struct {
		name, format, line string
		want               event
	}{
		{"Caddy: seconds", "caddy", `{"ts":1772442900.999,"request":{"client_ip":"192.0.2.1","remote_ip":"10.0.0.1","method":"GET","host":"acme.com","uri":"/","headers":{"User-Agent":["curl/8"]}},"status":200}`, acme},
		{"Caddy: common_log time", "caddy", `{"ts":"02/Mar/2026:10:15:00 +0100","request":{"remote_ip":"192.0.2.1","method":"GET","host":"acme.com","uri":"/","headers":{"User-Agent":["curl/8"]}},"status":200}`, acme},
		{"Caddy: wall time", "caddy", `{"ts":"2026/03/02 09:15:00","request":{"remote_ip":"192.0.2.1","method":"GET","host":"acme.com","uri":"/","headers":{"User-Agent":["curl/8"]}},"status":200}`, acme},
		{"Caddy: time in milliseconds", "caddy", `{"ts":1772442900123.5,"request":{"remote_ip":"192.0.2.1","method":"GET","host":"acme.com","uri":"/","headers":{"User-Agent":["curl/8"]}},"status":200}`, acme},
		{"Caddy: remote_addr", "caddy", `{"logger":"http.log.access","ts":1.7724429e+09,"request":{"remote_addr":"192.0.2.1:4711","method":"GET","host":"acme.com:80","uri":"/","headers":{"User-Agent":["curl/8"]}},"status":200}`, acme},
		{"Caddy: no user agent was sent", "caddy", `{"ts":1772442900,"request":{"remote_ip":"192.0.2.1","method":"GET","host":"acme.com","uri":"/","headers":{}},"status":200}`,
			but(func(e *event) { e.Host, e.UserAgent = "acme.com", "" })},
		{"Cloudflare: nanoseconds", "cloudflare", `{"EdgeStartTimestamp":1772442900999999999,"ClientRequestURI":"/","ClientRequestPath":"/x","ClientRequestUserAgent":"curl/8","ClientIP":"192.0.2.1"}`, hello},
		{"Cloudflare: seconds", "cloudflare", `{"EdgeStartTimestamp":1772442900,"ClientRequestPath":"/","ClientRequestUserAgent":"curl/8","ClientIP":"192.0.2.1","ClientRequestSource":"eyeball"}`, hello},
		{"Cloudflare: RFC 3339", "cloudflare", `{"EdgeStartTimestamp":"2026-03-02T09:15:00Z","ClientRequestURI":"/","ClientRequestUserAgent":"curl/8","ClientIP":"192.0.2.1","WorkerSubrequest":false}`, hello},
		{"Vercel: user agent as text", "vercel", `{"proxy":{"timestamp":1772442900000,"method":"GET","host":"acme.com","path":"/","userAgent":"curl/8","statusCode":200,"clientIp":"192.0.2.1"}}`, acme},
		{"Vercel: status of the function", "vercel", `{"statusCode":200,"proxy":{"timestamp":1772442900000,"method":"GET","host":"acme.com","path":"/","userAgent":["curl/8","x"],"clientIp":"192.0.2.1"}}`, acme},
		{"Netlify", "netlify", `{"timestamp":"2026-03-02T09:15:00.123Z","method":"GET","status_code":200,"url":"https://acme.com:443/","user_agent":"curl/8","client_ip":"192.0.2.1"}`,
			but(func(e *event) { e.Host, e.Target = "acme.com", "https://acme.com:443/" })},
		{"Traefik", "traefik", `{"time":"2026-03-02T10:15:00+01:00","RequestMethod":"GET","DownstreamStatus":200,"RequestHost":"acme.com","RequestPath":"/","request_User-Agent":"curl/8","ClientHost":"192.0.2.1"}`, acme},
		{"nginx: number and string", "nginx-json", `{"msec":1772442900.123,"request_method":"GET","status":200,"host":"acme.com","request_uri":"/","http_user_agent":"curl/8","remote_addr":"192.0.2.1"}`, acme},
		{"nginx: request line", "nginx-json", `{"time_iso8601":"2026-03-02T09:15:00+00:00","request":"GET / HTTP/1.1","status":"200","server_name":"acme.com","http_user_agent":"curl/8","remote_addr":"192.0.2.1"}`, acme},
		{"nginx: method in the request line", "nginx-json", `{"@timestamp":"2026-03-02T09:15:00+00:00","request":"GET /x HTTP/1.1","request_uri":"/","status":"200","host":"acme.com","http_user_agent":"curl/8","remote_addr":"192.0.2.1"}`, acme},
		{"nginx: no method", "nginx-json", `{"time":"2026-03-02T09:15:00+00:00","request_uri":"/","host":"acme.com","http_user_agent":"curl/8","remote_addr":"192.0.2.1"}`, acme},
		{"nginx: old escapes", "nginx-json", `{"msec":"1772442900.123","request":"GET /\x22 HTTP/1.1","status":"200","host":"acme.com","http_user_agent":"\x22\x5C\xE3\x82\xA2\u30a2","remote_addr":"192.0.2.1"}`,
			but(func(e *event) { e.Host, e.Target, e.UserAgent = "acme.com", `/"`, `"\アア` })},
		{"nginx: bytes that are not UTF-8", "nginx-json", "{\"msec\":1772442900,\"request_method\":\"GET\",\"status\":200,\"host\":\"acme.com\",\"request_uri\":\"/caf\xe9\",\"http_user_agent\":\"curl/8\",\"remote_addr\":\"192.0.2.1\"}",
			but(func(e *event) { e.Host, e.Target = "acme.com", "/caf%E9" })},
		{"nginx: hyphens for nothing", "nginx-json", `{"msec":1772442900,"request_method":"GET","status":200,"host":"-","server_name":"acme.com","request_uri":"/","http_user_agent":"curl/8","http_referer":"-","remote_addr":"192.0.2.1"}`, acme},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, byName(t, c.format), c.line, c.want) })
	}
}

func TestJSONLogsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, format, line, verdict string }{
		{"empty line", "caddy", "", "skip: empty line"},
		{"white space", "caddy", "  \r", "skip: empty line"},
		{"no JSON", "caddy", "Reloading caddy.service", "bad: invalid JSON"},
		{"cut", "caddy", `{"ts":1772442900,"logger":"http.log.acc`, "bad: invalid JSON"},
		{"old escapes outside nginx", "caddy", `{"ts":1772442900,"x":"\x22"}`, "bad: invalid JSON"},
		{"Caddy: other logger", "caddy", `{"logger":"tls","ts":1,"request":{}}`, "skip: not an access log line"},
		{"Caddy: no logger", "caddy", `{"ts":1772442900,"msg":"serving"}`, "skip: not an access log line"},
		{"Caddy: no headers", "caddy", `{"logger":"http.log.access","ts":1772442900,"request":{"method":"GET","uri":"/"},"status":200}`, "bad: missing field: user agent"},
		{"Caddy: no status", "caddy", `{"ts":1772442900,"request":{"method":"GET","uri":"/","headers":{}}}`, "bad: missing field: status"},
		{"Caddy: no method", "caddy", `{"ts":1772442900,"request":{"uri":"/","headers":{}},"status":200}`, "bad: missing field: method"},
		{"Caddy: no target", "caddy", `{"ts":1772442900,"request":{"method":"GET","headers":{}},"status":200}`, "bad: missing field: target"},
		{"Caddy: connection taken over", "caddy", `{"ts":1772442900,"request":{"method":"GET","uri":"/","headers":{}},"status":0}`, "skip: no answer was sent"},
		{"Caddy: asked about itself", "caddy", `{"ts":1772442900,"request":{"method":"OPTIONS","uri":"*","headers":{}},"status":200}`, "skip: request for no page"},
		{"Cloudflare: Worker", "cloudflare", `{"EdgeStartTimestamp":1772442900,"ClientRequestURI":"/","ClientRequestUserAgent":"","ClientRequestSource":"edgeWorkerFetch"}`, "skip: request of Cloudflare's own"},
		{"Cloudflare: Worker's subrequest", "cloudflare", `{"EdgeStartTimestamp":1772442900,"ClientRequestURI":"/","ClientRequestUserAgent":"","WorkerSubrequest":true}`, "skip: request of Cloudflare's own"},
		{"Cloudflare: no user agent chosen", "cloudflare", `{"EdgeStartTimestamp":1772442900,"ClientRequestURI":"/"}`, "bad: missing field: user agent"},
		{"Cloudflare: no time chosen", "cloudflare", `{"ClientRequestURI":"/","ClientRequestUserAgent":""}`, "bad: missing field: time"},
		{"Cloudflare: no target chosen", "cloudflare", `{"EdgeStartTimestamp":1772442900,"ClientRequestUserAgent":""}`, "bad: missing field: target"},
		{"Cloudflare: null is nothing", "cloudflare", `{"EdgeStartTimestamp":1772442900,"ClientRequestURI":"/","ClientRequestUserAgent":null}`, "bad: missing field: user agent"},
		{"Vercel: no proxy", "vercel", `{"source":"build","message":"x"}`, "skip: not a request"},
		{"Vercel: background", "vercel", `{"proxy":{"timestamp":1772442900000,"method":"GET","path":"/","userAgent":[],"statusCode":-1}}`, "skip: background revalidation"},
		{"Vercel: crash", "vercel", `{"statusCode":-1,"proxy":{"timestamp":1772442900000,"method":"GET","path":"/","userAgent":[]}}`, "skip: no answer was sent"},
		{"Netlify: function", "netlify", `{"log_type":"functions","timestamp":"2026-03-02T09:15:00Z"}`, "skip: log type other than traffic"},
		{"Netlify: without personal data", "netlify", `{"log_type":"traffic","timestamp":"2026-03-02T09:15:00Z","method":"GET","status_code":200,"url":"https://acme.com/"}`, "bad: missing field: user agent"},
		{"Traefik: its own log", "traefik", `{"level":"info","msg":"x","time":"2026-03-02T09:15:00Z"}`, "skip: not an access log line"},
		{"Traefik: headers dropped", "traefik", `{"time":"2026-03-02T09:15:00Z","RequestMethod":"GET","RequestPath":"/","DownstreamStatus":200}`, "bad: missing field: user agent"},
		{"nginx: no request was read", "nginx-json", `{"msec":1772442900,"request_method":"","request_uri":"","status":400,"http_user_agent":""}`, "skip: no request was read"},
		{"nginx: no target", "nginx-json", `{"msec":1772442900,"request_method":"GET","request_uri":"","status":400,"http_user_agent":""}`, "skip: request line without a target"},
		{"nginx: TLS bytes", "nginx-json", `{"msec":1772442900,"request":"\x16\x03","status":400,"http_user_agent":"-"}`, "skip: request line is not HTTP"},
		{"nginx: control character", "nginx-json", `{"msec":1772442900,"request_method":"GET","request_uri":"/\u0001","status":400,"http_user_agent":""}`, "skip: request for no page"},
		{"bad time", "nginx-json", `{"msec":"soon","request_uri":"/","http_user_agent":"-"}`, "bad: bad time"},
		{"bad status", "nginx-json", `{"msec":1772442900,"request_uri":"/","status":"2xx","http_user_agent":"-"}`, "bad: bad status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, verdict := parse(byName(t, c.format), c.line); verdict != c.verdict {
				t.Errorf("%s\nis %q, want %q", c.line, verdict, c.verdict)
			}
		})
	}
}

func TestMissingFieldsAreNamedAsTheLogNamesThem(t *testing.T) {
	var h Hit
	err := byName(t, "cloudflare").Parse([]byte(`{"EdgeStartTimestamp":1772442900,"ClientRequestUserAgent":""}`), &h)
	if want := "no ClientRequestURI, no ClientRequestPath"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
	err = byName(t, "caddy").Parse([]byte(`{"ts":1772442900,"x":nope}`), &h)
	if want := "invalid JSON: no value at byte 21"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// Vercel tells of one request in as many lines as its function prints.
func TestVercelRequestsHaveAnID(t *testing.T) {
	var h Hit
	line := `{"id":"1","requestId":"643af4e3","proxy":{"timestamp":1772442900000,"method":"GET","path":"/","userAgent":["x"],"statusCode":200}}`
	if err := byName(t, "vercel").Parse([]byte(line), &h); err != nil || string(h.ID) != "643af4e3" {
		t.Errorf("the id is %q: %v", h.ID, err)
	}
	if err := (combinedFormat{}).Parse([]byte(`192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "x"`), &h); err != nil || len(h.ID) > 0 {
		t.Errorf("the id of a combined line is %q: %v", h.ID, err)
	}
}
