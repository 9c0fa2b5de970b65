package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"sync"
	"time"
)

const (
	sessionTime = 12 * time.Hour
	maxSessions = 10_000
	cookieName  = "sightline_session"
)

// token is what is kept of a session's secret: its digest.
type token [sha256.Size]byte

// sessions are the browsers that know the password. They live in memory: a
// restart asks everyone again.
type sessions struct {
	now   func() time.Time
	mu    sync.Mutex
	until map[token]time.Time
}

// begin makes a session and returns its cookie.
func (s *sessions) begin(r *http.Request) *http.Cookie {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	value := base64.RawURLEncoding.EncodeToString(secret)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tidy()
	s.until[sha256.Sum256([]byte(value))] = s.now().Add(sessionTime)
	return cookie(r, value, sessionTime)
}

// tidy drops what has ended, and if need be something else: a map that only
// grows is a leak.
func (s *sessions) tidy() {
	for t, until := range s.until {
		if s.now().After(until) {
			delete(s.until, t)
		}
	}
	for t := range s.until {
		if len(s.until) < maxSessions {
			break
		}
		delete(s.until, t)
	}
}

func (s *sessions) valid(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	until, ok := s.until[sha256.Sum256([]byte(c.Value))]
	return ok && s.now().Before(until)
}

// end forgets a session and returns a cookie that makes the browser do the same.
func (s *sessions) end(r *http.Request) *http.Cookie {
	if c, err := r.Cookie(cookieName); err == nil {
		s.mu.Lock()
		delete(s.until, sha256.Sum256([]byte(c.Value)))
		s.mu.Unlock()
	}
	return cookie(r, "", -time.Second)
}

// cookie is out of reach of scripts and of other sites. It is kept to HTTPS if
// that is how the browser came; a proxy in front says so.
func cookie(r *http.Request, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: int(age.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https",
	}
}
