package web

import (
	"crypto/sha256"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/peer"
)

// shortestPassword keeps out passwords that can be tried one after the other.
const shortestPassword = 8

// Access says who may see the dashboard: those with the password, those whom a
// proxy in front has let in, or, with neither, everyone who can reach it.
type Access struct {
	Password    string
	ProxyHeader string       // names the user; believed from Proxies only
	Proxies     peer.Proxies // none: loopback addresses for ProxyHeader, and no one's word for where visitors are
}

// Open tells whether the dashboard asks for nothing.
func (a Access) Open() bool { return a.Password == "" && a.ProxyHeader == "" }

func (a Access) check() error {
	switch {
	case a.Password != "" && a.ProxyHeader != "":
		return errors.New("a password and a trusted proxy header exclude each other: choose one")
	case a.Password != "" && len(a.Password) < shortestPassword:
		return errors.New("the dashboard's password must have at least 8 characters")
	case strings.ContainsFunc(a.ProxyHeader, func(r rune) bool { return !strings.ContainsRune(headerRunes, r) }):
		return errors.New("the trusted proxy header must be a header's name, such as X-Remote-User")
	case strings.EqualFold(a.ProxyHeader, "Host") || strings.EqualFold(a.ProxyHeader, "Cookie"):
		return errors.New("the trusted proxy header must be one that only the proxy sets, such as X-Remote-User")
	case len(a.Proxies) > 0 && a.Open():
		return errors.New("trusted proxies need a password or a trusted proxy header: name it with --password-file or --trusted-proxy-header")
	}
	return nil
}

const headerRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// guard lets requests in.
type guard struct {
	Access
	digest   [sha256.Size]byte // of the password
	sessions *sessions
	failures *failures
}

func newGuard(a Access, now func() time.Time) *guard {
	if len(a.Proxies) == 0 && a.ProxyHeader != "" {
		a.Proxies = peer.Proxies{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	}
	return &guard{
		Access: a, digest: sha256.Sum256([]byte(a.Password)),
		sessions: &sessions{now: now, until: make(map[token]time.Time)},
		failures: &failures{now: now, by: make(map[netip.Prefix]failure), pause: failurePause},
	}
}

// guarded passes on what may pass.
func (d *Dashboard) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch g := d.guard; {
		case g.Open() && !loopbackHost(r.Host):
			// Without a login, a foreign name that was pointed at this address
			// would let any website read these pages through a visitor's browser.
			d.fail(w, r, http.StatusForbidden, "Not under this name",
				"This dashboard has no password and answers on loopback addresses only. Open it as http://127.0.0.1 with its port, or start it with --password-file.")
		case g.Password != "" && !g.sessions.valid(r):
			http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		case g.ProxyHeader != "" && g.user(r) == "":
			d.fail(w, r, http.StatusForbidden, "Not signed in",
				"This dashboard is reached through a proxy that signs people in. Open it at the proxy's address; if you did, the proxy did not say who you are.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// user is whom the proxy has let in. Only the listed addresses are believed.
func (g *guard) user(r *http.Request) string {
	if g.ProxyHeader == "" {
		return ""
	}
	// Of two names one may be the visitor's own: a proxy that adds its header to
	// what browsers send instead of replacing it.
	if names := r.Header.Values(g.ProxyHeader); len(names) == 1 && g.Proxies.Trust(peer.Of(r)) {
		return strings.TrimSpace(names[0])
	}
	return ""
}

func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.IsLoopback()
}
