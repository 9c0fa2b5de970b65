package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/peer"
)

func withPassword(o *Options) { o.Access.Password = "correct horse" }

func behindProxy(o *Options) {
	o.Access.ProxyHeader = "X-Remote-User"
	o.Access.Proxies = []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}
}

func TestWithoutAPasswordOnlyLoopbackNamesAreAnswered(t *testing.T) {
	d := dashboardOf(t, usual())
	for host, want := range map[string]int{
		"127.0.0.1:8090": 200, "localhost:8090": 200, "LOCALHOST": 200, "[::1]:8090": 200, "127.9.9.9": 200,
		"evil.example": 403, "evil.example:8090": 403, "127.0.0.1.evil.example": 403, "10.0.0.1:8090": 403, "": 403,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if got := request(t, d, r); got.StatusCode != want {
			t.Errorf("host %q: status %d, want %d", host, got.StatusCode, want)
		}
	}
}

func TestNothingIsShownBeforeTheLogin(t *testing.T) {
	asked := 0
	d := dashboardOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked++ }), withPassword)
	for _, target := range []string{"/", "/prompts?last=7d", "/prompt?prompt=x", "/citations", "/traffic", "/prompts.csv?table=prompts", "/nothing"} {
		res := get(t, d, target)
		if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/login?next="+url.QueryEscape(target) {
			t.Errorf("%s: %d to %s", target, res.StatusCode, res.Header.Get("Location"))
		}
	}
	if asked > 0 {
		t.Errorf("the API was asked %d times", asked)
	}
	get(t, d, "/login?next=/traffic").shows(t, 200, `name="next" value="/traffic"`, `type="password"`)
}

func TestThePasswordOpensASessionAndLogoutEndsIt(t *testing.T) {
	d := dashboardOf(t, usual(), withPassword)
	res := request(t, d, post("/login", url.Values{"password": {"correct horse"}, "next": {"/prompts?last=7d"}}))
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/prompts?last=7d" || len(res.Cookies()) != 1 {
		t.Fatalf("%d to %s with %v", res.StatusCode, res.Header.Get("Location"), res.Cookies())
	}
	c := res.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Secure || c.MaxAge != 12*3600 || len(c.Value) < 40 {
		t.Errorf("cookie %v", c)
	}
	with := func(target, method string) response {
		r := httptest.NewRequest(method, target, nil)
		r.AddCookie(c)
		return request(t, d, r)
	}
	with("/", "GET").shows(t, 200, "Sign out")
	if ended := with("/logout", "POST"); ended.Cookies()[0].MaxAge >= 0 {
		t.Errorf("the browser keeps %v", ended.Cookies())
	}
	if again := with("/", "GET"); again.StatusCode != http.StatusSeeOther {
		t.Errorf("after the logout: %d", again.StatusCode)
	}
}

func TestSessionsEndByThemselves(t *testing.T) {
	now := today
	d := dashboardOf(t, usual(), withPassword, func(o *Options) { o.Now = func() time.Time { return now } })
	c := request(t, d, post("/login", url.Values{"password": {"correct horse"}})).Cookies()[0]
	r := httptest.NewRequest("GET", "/", nil)
	r.AddCookie(c)
	request(t, d, r).shows(t, 200)
	now = now.Add(sessionTime + time.Second)
	if res := request(t, d, r); res.StatusCode != http.StatusSeeOther {
		t.Errorf("after 12 hours: %d", res.StatusCode)
	}
}

func TestCookiesOfHTTPSStayOnHTTPS(t *testing.T) {
	d := dashboardOf(t, usual(), withPassword)
	r := post("/login", url.Values{"password": {"correct horse"}})
	r.Header.Set("X-Forwarded-Proto", "https")
	if c := request(t, d, r).Cookies()[0]; !c.Secure {
		t.Errorf("cookie %v", c)
	}
}

func TestWrongPasswordsAreSlowedDownAndThenRefused(t *testing.T) {
	now := today
	d := dashboardOf(t, usual(), withPassword, func(o *Options) { o.Now = func() time.Time { return now } })
	try := func(address, password string) response {
		r := post("/login", url.Values{"password": {password}})
		r.RemoteAddr = address
		return request(t, d, r)
	}
	d.guard.failures.pause = 30 * time.Millisecond
	began := time.Now()
	try("[2001:db8::1]:1", "wrong").shows(t, http.StatusUnauthorized, "That is not the password")
	if time.Since(began) < 30*time.Millisecond {
		t.Error("a wrong password was answered at once")
	}
	d.guard.failures.pause = 0
	for range failureLimit - 1 {
		try("[2001:db8::2]:1", "") // another address of the same network
	}
	res := try("[2001:db8::3]:1", "correct horse")
	res.shows(t, http.StatusTooManyRequests, "Too many wrong passwords")
	if res.Header.Get("Retry-After") != "900" || len(res.Cookies()) > 0 {
		t.Errorf("%v", res.Header)
	}
	if other := try("192.0.2.1:1", "correct horse"); other.StatusCode != http.StatusSeeOther {
		t.Errorf("another network: %d", other.StatusCode)
	}
	d.guard.failures.waiting = failureQueue // a flood of others, from everywhere
	d.guard.failures.pause = time.Hour
	if amid := try("192.0.2.2:1", "correct horse"); amid.StatusCode != http.StatusSeeOther {
		t.Errorf("the right password amid a flood: %d", amid.StatusCode)
	}
	try("192.0.2.2:1", "wrong").shows(t, http.StatusUnauthorized)
	d.guard.failures.waiting = 0
	now = now.Add(failureWindow + time.Second)
	if later := try("[2001:db8::3]:1", "correct horse"); later.StatusCode != http.StatusSeeOther {
		t.Errorf("a quarter of an hour later: %d", later.StatusCode)
	}
}

func TestOtherSitesCannotLogAnyoneIn(t *testing.T) {
	d := dashboardOf(t, usual(), withPassword)
	for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
		r := post("/login", url.Values{"password": {"correct horse"}})
		r.Header.Set(header, value)
		if res := request(t, d, r); res.StatusCode != http.StatusForbidden || len(res.Cookies()) > 0 {
			t.Errorf("%s %s: %d", header, value, res.StatusCode)
		}
	}
}

func TestALoginLeadsToThisSiteOnly(t *testing.T) {
	for next, want := range map[string]string{
		"/prompts?a=b": "/prompts?a=b", "/": "/", "": "/", "https://evil.example/": "/", "//evil.example": "/", `/\evil.example`: "/",
		`\\evil.example`: "/", "javascript:alert(1)": "/", "/\t/evil.example": "/", "prompts": "/", "http:evil.example": "/",
	} {
		if got := localPath(next); got != want {
			t.Errorf("%q leads to %q, want %q", next, got, want)
		}
	}
}

func TestOnlyTheProxyIsBelieved(t *testing.T) {
	d := dashboardOf(t, usual(), behindProxy)
	for _, c := range []struct {
		name, address, user string
		want                int
	}{
		{"the proxy, signed in", "10.1.2.3:5", "kim", 200},
		{"the proxy, not signed in", "10.1.2.3:5", "", 403},
		{"the proxy, a blank name", "10.1.2.3:5", "  ", 403},
		{"the proxy as a mapped address", "[::ffff:10.1.2.3]:5", "kim", 200},
		{"someone else", "10.2.2.3:5", "kim", 403},
		{"this machine, which is not listed", "127.0.0.1:5", "kim", 403},
		{"no address", "", "kim", 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.address
			r.Header.Set("X-Remote-User", c.user)
			res := request(t, d, r)
			res.shows(t, c.want)
			if c.want == 200 && !strings.Contains(res.body, ">kim<") {
				t.Error("the page does not name the user")
			}
		})
	}
}

func TestTwoNamesOfOneVisitorAreNone(t *testing.T) {
	d := dashboardOf(t, usual(), behindProxy)
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "10.1.2.3:5"
	r.Header["X-Remote-User"] = []string{"admin", "kim"}
	request(t, d, r).shows(t, 403, "the proxy did not say who you are")
}

func TestFailuresBehindAListedProxyAreCountedByVisitor(t *testing.T) {
	listed := func(o *Options) { o.Access.Proxies = []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")} }
	for _, c := range []struct {
		name, peer, noted, want string
		changes                 []func(*Options)
	}{
		{"no proxy is listed", "10.1.2.3:5", "192.0.2.1", "10.1.2.3", nil},
		{"a listed proxy", "10.1.2.3:5", "192.0.2.1", "192.0.2.1", []func(*Options){listed}},
		{"two listed proxies", "10.1.2.3:5", "192.0.2.1, 10.1.9.9", "192.0.2.1", []func(*Options){listed}},
		{"what the visitor wrote himself", "10.1.2.3:5", "198.51.100.7, 192.0.2.1", "192.0.2.1", []func(*Options){listed}},
		{"another proxy", "10.2.2.3:5", "192.0.2.1", "10.2.2.3", []func(*Options){listed}},
		{"nothing noted", "10.1.2.3:5", "", "10.1.2.3", []func(*Options){listed}},
		{"nonsense", "10.1.2.3:5", "192.0.2.1, unknown", "10.1.2.3", []func(*Options){listed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := dashboardOf(t, usual(), append(c.changes, withPassword)...)
			r := post("/login", url.Values{"password": {"wrong"}})
			r.RemoteAddr = c.peer
			r.Header.Set("X-Forwarded-For", c.noted)
			request(t, d, r).shows(t, http.StatusUnauthorized)
			if _, ok := d.guard.failures.by[peer.Network(netip.MustParseAddr(c.want))]; !ok {
				t.Errorf("counted for %v, want %s", d.guard.failures.by, c.want)
			}
		})
	}
}

func TestAccessThatMakesNoSense(t *testing.T) {
	for name, a := range map[string]Access{
		"both ways":            {Password: "long enough", ProxyHeader: "X-User"},
		"a short password":     {Password: "short"},
		"no header's name":     {ProxyHeader: "X User:"},
		"a browser's header":   {ProxyHeader: "cookie"},
		"proxies, but no name": {Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
	} {
		o := Options{BaseURL: "http://127.0.0.1:1", APIKey: testKey, Access: a, Log: dashboardOf(t, usual()).log, Now: time.Now}
		if _, err := New(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
