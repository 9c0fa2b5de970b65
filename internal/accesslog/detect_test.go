package accesslog

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func detect(text string) (Format, error) { return Detect(bytes.Split([]byte(text), []byte("\n"))) }

func TestDetectSeesThroughNoise(t *testing.T) {
	const (
		combined = `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`
		common   = `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 5`
		noise    = `192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "\x16\x03" 400 0 "-" "-"`
	)
	for _, c := range []struct{ name, text, want string }{
		{"garbage first", strings.Repeat("garbage\n", 49) + combined, "combined"},
		{"empty lines first", strings.Repeat("\n", 20) + combined, "combined"},
		{"half a line first", combined[40:] + "\n" + combined, "combined"},
		{"common lines among combined ones", common + "\n" + common + "\n" + combined, "combined"},
		{"nothing but noise", noise, "combined"},
		{"user with a space", strings.Replace(combined, "- - [", "- a b [", 1), "combined"},
		{"list of proxies", "10.0.0.2, " + combined, "combined"},
		{"client with a port", strings.Replace(combined, "192.0.2.1 - -", "192.0.2.1:99 - a b", 1), "combined"},
		{"name of the client", strings.Replace(combined, "192.0.2.1", "crawl.example", 1), "combined"},
		{"name of the client, user with a space", strings.Replace(combined, "192.0.2.1 - -", "crawl.example - a b", 1), "combined"},
		{"server first", "acme.com:443 " + combined, "vhost-combined"},
		{"server without port", "acme.com " + combined, "vhost-combined"},
		{"server by address", "[2001:db8::1]:443 " + combined, "vhost-combined"},
		{"server first, name of the client", "acme.com:443 crawl.example" + combined[9:], "vhost-combined"},
		{"one odd line among many", combined + "\n" + combined + "\nacme.com:443 " + combined, "combined"},
		{"fields after garbage", "garbage\n#Software: x\n#Fields: " + iisFields, "w3c"},
		{"startup lines before", `{"level":"info","ts":1,"msg":"x"}` + "\n" + string(bytes.Join(readLines(t, "caddy.ndjson"), []byte("\n"))), "caddy"},
		{"a log drain without requests", `{"id":"1","deploymentId":"dpl_1","source":"build","message":"x"}`, "vercel"},
		{"a list", `[{"deploymentId":"1","proxy":{"timestamp":1772442900000,"method":"GET","path":"/","userAgent":["x"],"statusCode":200}}]`, "vercel"},
		{"nginx with other JSON", `{"a":1}` + "\n" + string(readLines(t, "nginx.ndjson")[0]), "nginx-json"},
		{"byte order mark", "\uFEFF" + combined, "combined"},
		{"a long list", "[" + strings.Repeat(string(readLines(t, "netlify.ndjson")[1])+",", 1000) + "{}]", "netlify"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := detect(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if f.Name() != c.want {
				t.Errorf("detected %s, want %s", f.Name(), c.want)
			}
		})
	}
}

func TestDetectSaysWhatToDo(t *testing.T) {
	common := string(bytes.Join(readLines(t, "common.log"), []byte("\n")))
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", []string{"no lines"}},
		{"empty lines", "\n\r\n  \n", []string{"no lines"}},
		{"common log format", common, []string{"no user agent", "nginx: access_log … combined", "Apache: CustomLog … combined"}},
		{"common log format with server", "acme.com:80 " + common, []string{"no user agent"}},
		{"anything", "hello\nworld", []string{`first line: "hello"`, "combined, vhost-combined, w3c, caddy", "--format NAME", "--fields FILE"}},
		{"JSON of unknown keys", `{"when":1,"who":{"ua":"x"}}`, []string{"its keys are when, who", "--fields FILE", "known kinds are caddy, cloudflare"}},
		{"JSON of many keys", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1}`, []string{"k, l, …"}},
		{"Traefik without headers", `{"RequestMethod":"GET","RequestPath":"/","DownstreamStatus":200,"time":"2026-03-02T09:15:00Z"}`,
			[]string{"a log of Traefik", "missing field: user agent", "accessLog.fields.headers.names.User-Agent: keep"}},
		{"Cloudflare without user agent", `{"EdgeStartTimestamp":1772442900,"ClientRequestURI":"/","ClientRequestHost":"acme.com"}`,
			[]string{"a log of Cloudflare Logpush", "no ClientRequestUserAgent", "fields of the Logpush job"}},
		{"Netlify without personal data", `{"log_type":"traffic","timestamp":"2026-03-02T09:15:00Z","method":"GET","status_code":200,"url":"https://acme.com/"}`,
			[]string{"a log of Netlify", "Exclude personally identifiable information"}},
		{"W3C without fields", "#Version: 1.0\n2026-03-02 09:15:00 GET /", []string{"a W3C log", "#Fields"}},
		{"W3C without user agent", "#Fields: date time cs-method cs-uri-stem sc-status", []string{"no cs(User-Agent)", "Select Fields"}},
		{"UTF-16", "\xFF\xFE1\x009\x002\x00", []string{"iconv -f UTF-16"}},
		{"NUL bytes", "1\x009\x002\x00", []string{"not UTF-8"}},
		{"bzip2", "BZh91AY&SY", []string{"unpack it first"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := detect(c.text)
			if err == nil {
				t.Fatalf("detected %s", f.Name())
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %v; it lacks %q", err, want)
				}
			}
		})
	}
}

func TestFormatsAreKnownByName(t *testing.T) {
	want := []string{"combined", "vhost-combined", "w3c", "caddy", "cloudflare", "vercel", "netlify", "traefik", "nginx-json"}
	if !slices.Equal(Names(), want) {
		t.Errorf("the names are %v", Names())
	}
	for _, name := range want {
		if f, err := ByName(name); err != nil || f.Name() != name {
			t.Errorf("%s is %v: %v", name, f, err)
		}
	}
	for name, want := range map[string]string{
		"": "there are combined,", "apache": "there are combined,", "common": "no user agent", "clf": "no user agent", "fields": "--fields FILE",
	} {
		if f, err := ByName(name); f != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %v: %v", name, f, err)
		}
	}
}
