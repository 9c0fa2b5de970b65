package weburl

import (
	"strings"
	"testing"
)

func TestParsePage(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      Page
	}{
		{"path", "/blog/", Page{"", "/blog/", ""}},
		{"URL", "https://www.Acme.com/Blog/?a=1#top", Page{"acme.com", "/Blog/", ""}},
		{"URL without path", "https://acme.com", Page{"acme.com", "/", ""}},
		{"URL with query alone", "http://acme.com?utm_source=x", Page{"acme.com", "/", "x"}},
		{"scheme in upper case", "HTTPS://acme.com/a", Page{"acme.com", "/a", ""}},
		{"port", "https://acme.com:8443/a", Page{"acme.com", "/a", ""}},
		{"user", "https://me:pw@acme.com/a", Page{"acme.com", "/a", ""}},
		{"IPv6", "http://[::1]:8080/a", Page{"[::1]", "/a", ""}},
		{"host with underscore", "https://my_shop.acme.com/", Page{"my_shop.acme.com", "/", ""}},
		{"path as sent", `/a%2fb//c\d;jsessionid=1/index.html`, Page{"", `/a%2fb//c\d;jsessionid=1/index.html`, ""}},
		{"two slashes are a path", "//acme.com/a", Page{"", "//acme.com/a", ""}},
		{"utm_source", "/?utm_source=chatgpt.com", Page{"", "/", "chatgpt.com"}},
		{"utm_source in any case", "/?UTM_Source=ChatGPT.com", Page{"", "/", "chatgpt.com"}},
		{"utm_source among others", "/?a=1&utm_medium=x&utm_source=perplexity&b", Page{"", "/", "perplexity"}},
		{"first utm_source that is not empty", "/?utm_source=&utm_source=%20&utm_source=b&utm_source=c", Page{"", "/", "b"}},
		{"utm_source decoded and trimmed", "/?utm_source=+my%20List+", Page{"", "/", "my list"}},
		{"utm_source with a bad escape", "/?utm_source=50%25+or+50%", Page{"", "/", "50% or 50%"}},
		{"utm_source of invalid UTF-8", "/?utm_source=a%FF", Page{"", "/", "a\uFFFD"}},
		{"utm_source in the fragment", "/#?utm_source=x", Page{"", "/", ""}},
		{"another name", "/?xutm_source=x&utm_sources=y", Page{"", "/", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParsePage(c.raw)
			if err != nil || got != c.want {
				t.Errorf("ParsePage(%q) = %+v, %v, want %+v", c.raw, got, err, c.want)
			}
		})
	}
}

func TestParsePageSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"empty", "", "empty"},
		{"relative", "blog/post", "neither an http(s) URL nor a path"},
		{"dash", "-", "neither an http(s) URL nor a path"},
		{"asterisk", "*", "neither an http(s) URL nor a path"},
		{"another scheme", "ftp://acme.com/", "neither an http(s) URL nor a path"},
		{"host alone", "acme.com/blog", "neither an http(s) URL nor a path"},
		{"a word that starts like a scheme", "help", "neither an http(s) URL nor a path"},
		{"no host", "https:///blog", "no valid host"},
		{"host with space", "https://acme .com/", "no valid host"},
		{"host with backslash", `https://acme.com\blog`, "no valid host"},
		{"port is no number", "https://acme.com:http/", "no valid host"},
		{"port too large", "https://acme.com:65536/", "no valid host"},
		{"newline", "/blog\n", "contains a control character"},
		{"delete", "/blog\x7f", "contains a control character"},
		{"too long", "/" + strings.Repeat("a", MaxURL), "longer than 8192 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParsePage(c.raw)
			if err == nil || err.Error() != c.want {
				t.Errorf("ParsePage(%.40q) = %+v, %v, want %q", c.raw, got, err, c.want)
			}
		})
	}
	if _, err := ParsePage("/" + strings.Repeat("a", MaxURL-1)); err != nil {
		t.Errorf("a URL of MaxURL bytes: %v", err)
	}
}

func TestParseReferrer(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      Referrer
	}{
		{"https", "https://www.Perplexity.ai/search?q=x", Referrer{Host: "perplexity.ai", Path: "/search"}},
		{"http without path", "http://chatgpt.com", Referrer{Host: "chatgpt.com", Path: "/"}},
		{"port", "https://acme.com:8443/", Referrer{Host: "acme.com", Path: "/"}},
		{"Android app", "android-app://com.openai.chatgpt/", Referrer{App: true, Host: "com.openai.chatgpt", Path: "/"}},
		{"spaces around", " https://acme.com/ ", Referrer{Host: "acme.com", Path: "/"}},
		{"empty", "", Referrer{}},
		{"dash", "-", Referrer{}},
		{"about:blank", "about:blank", Referrer{}},
		{"no scheme", "acme.com/blog", Referrer{}},
		{"another scheme", "file:///etc/hosts", Referrer{}},
		{"no host", "https://", Referrer{}},
		{"garbage", "https://<script>/", Referrer{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := ParseReferrer(c.raw)
			if got != c.want || ok != (c.want.Host != "") {
				t.Errorf("ParseReferrer(%q) = %+v, %v, want %+v", c.raw, got, ok, c.want)
			}
			if host := ReferrerHost(c.raw); host != c.want.Host {
				t.Errorf("ReferrerHost(%q) = %q, want %q", c.raw, host, c.want.Host)
			}
		})
	}
}

func FuzzParsePage(f *testing.F) {
	for _, s := range []string{
		"/", "/a?utm_source=%zz+b&UTM_SOURCE=c#d", "https://www.acme.com:443/a", "http://[::1]:80", "http://a@b@c:1/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		page, err := ParsePage(raw)
		if err != nil {
			if page != (Page{}) {
				t.Errorf("ParsePage(%q) = %+v beside %v", raw, page, err)
			}
			return
		}
		if page.Path != "/" && (!strings.HasPrefix(page.Path, "/") || !strings.Contains(raw, page.Path)) {
			t.Errorf("ParsePage(%q): path %q", raw, page.Path)
		}
		if NormalizePath(page.Path) != NormalizePath(raw) {
			t.Errorf("ParsePage(%q): path %q is another page", raw, page.Path)
		}
		if page.Host != BareDomain(page.Host) || (page.Host == "") != strings.HasPrefix(raw, "/") {
			t.Errorf("ParsePage(%q): host %q", raw, page.Host)
		}
	})
}
