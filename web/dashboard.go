package web

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/sightline-hq/sightline/client"
)

// Limits of the calls that a page makes.
const (
	DefaultTimeout = 15 * time.Second
	attempts       = 2
	maxAnswer      = 64 << 20
	connections    = 8 // to the API, kept open
)

// Options say which API a dashboard shows, and to whom.
type Options struct {
	BaseURL string // of the API
	APIKey  string
	Access  Access
	Version string // shown at the foot of pages
	Log     *slog.Logger
	Now     func() time.Time
	Timeout time.Duration // for all calls of one page; 0: DefaultTimeout
}

// Dashboard renders pages. Make one with New.
type Dashboard struct {
	dial    func(http.RoundTripper) (*client.Client, error) // the key is in here and nowhere else
	through http.RoundTripper
	guard   *guard
	assets  map[string]asset
	pages   map[string]page
	version string
	log     *slog.Logger
	now     func() time.Time
	timeout time.Duration
}

// New checks the options. It sends nothing yet.
func New(o Options) (*Dashboard, error) {
	if o.Log == nil || o.Now == nil {
		return nil, errors.New("web: Log and Now must be given")
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if err := o.Access.check(); err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = connections
	d := &Dashboard{
		through: transport, guard: newGuard(o.Access, o.Now), version: o.Version,
		log: o.Log, now: o.Now, timeout: o.Timeout,
	}
	base, key := o.BaseURL, o.APIKey
	d.dial = func(through http.RoundTripper) (*client.Client, error) {
		return client.New(base, key, client.WithHTTPClient(&http.Client{Transport: through}), client.WithMaxAttempts(attempts),
			client.WithTotalTime(o.Timeout), client.WithMaxBody(maxAnswer), client.WithUserAgent("sightline-dashboard"))
	}
	if _, err := d.dial(transport); err != nil {
		return nil, err
	}
	var err error
	if d.assets, err = readAssets(); err != nil {
		return nil, err
	}
	d.pages, err = parsePages(d.assets)
	return d, err
}

// Handler answers the dashboard's routes. Everything but the login page and
// the assets is behind the guard.
func (d *Dashboard) Handler() http.Handler {
	inside := http.NewServeMux()
	for _, v := range views {
		inside.Handle(v.pattern(), d.show(v))
		inside.Handle("GET "+fileOf(v.path), d.download(v))
	}
	inside.HandleFunc("/", d.notFound)

	outside := http.NewServeMux()
	outside.HandleFunc("GET /assets/", d.asset)
	outside.HandleFunc("GET /login", d.loginForm)
	outside.HandleFunc("POST /login", d.login)
	outside.HandleFunc("POST /logout", d.logout)
	outside.Handle("/", d.guarded(inside))
	return withHeaders(d.survived(http.NewCrossOriginProtection().Handler(outside)))
}
