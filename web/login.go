package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const maxForm = 8 << 10

// loginView is the login page.
type loginView struct{ Next, Problem string }

func (d *Dashboard) loginForm(w http.ResponseWriter, r *http.Request) {
	if d.guard.Password == "" || d.guard.sessions.valid(r) {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	d.askPassword(w, r, http.StatusOK, loginView{Next: localPath(r.URL.Query().Get("next"))})
}

func (d *Dashboard) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil || d.guard.Password == "" {
		d.fail(w, r, http.StatusBadRequest, "No login here", "Open the dashboard's first page and try again.")
		return
	}
	view, peer := loginView{Next: localPath(r.PostForm.Get("next"))}, d.guard.Proxies.Caller(r)
	if wait := d.guard.failures.tooMany(peer); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		view.Problem = "Too many wrong passwords from your network. Wait a quarter of an hour, then try again."
		d.askPassword(w, r, http.StatusTooManyRequests, view)
		return
	}
	// Digests have one length, so the comparison takes one time.
	given := sha256.Sum256([]byte(r.PostForm.Get("password")))
	if subtle.ConstantTimeCompare(given[:], d.guard.digest[:]) != 1 {
		d.guard.failures.add(peer)
		d.log.Warn("wrong password for the dashboard", "from", peer)
		view.Problem = "That is not the password. The person who started this dashboard knows it."
		d.askPassword(w, r, http.StatusUnauthorized, view)
		return
	}
	http.SetCookie(w, d.guard.sessions.begin(r))
	http.Redirect(w, r, view.Next, http.StatusSeeOther)
}

func (d *Dashboard) logout(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, d.guard.sessions.end(r))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

func (d *Dashboard) askPassword(w http.ResponseWriter, r *http.Request, status int, v loginView) {
	d.render(w, r, status, "login", frame{Title: "Sign in", Content: v})
}

// localPath returns a path of this dashboard and nothing else, so that a login
// never leads to another site.
func localPath(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/") ||
		strings.HasPrefix(s, "//") || strings.ContainsAny(s, "\\\r\n\t") {
		return "/"
	}
	return u.RequestURI()
}
