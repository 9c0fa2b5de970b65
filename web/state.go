package web

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

// state is what the URL of a page says. Names that are not here do not count.
type state struct {
	path   string
	values url.Values // the URL's own parameters, for links

	Product int64 // 0: the first
	Domain  string
	Window  api.Window
	Before  api.Window

	Platforms []string
	Labels    []int64
	Website   string
	BotTypes  []string
	URLPath   string
	Interval  api.Interval
	GroupBy   api.CitationGrouping
	Mentioned string // yes, no or empty
	View      string // prompt, or platform
	Sort      string
	Down      bool
	Page      int
	Prompt    string

	problems []string
}

// parameters are the names that links carry on; page is not among them.
var parameters = []string{
	"product", "domain", "last", "from", "to", "platform", "label", "website", "bot", "path", "interval",
	"by", "mentioned", "view", "sort", "order", "prompt",
}

// readState never fails: what cannot be understood is a problem to show, and
// the page shows its defaults instead.
func readState(u *url.URL, now time.Time) *state {
	q := u.Query()
	s := &state{path: u.Path, values: make(url.Values)}
	for _, name := range parameters {
		if v := slices.DeleteFunc(q[name], func(s string) bool { return s == "" }); len(v) > 0 {
			s.values[name] = v
		}
	}
	s.Domain, s.Website, s.URLPath, s.Prompt = q.Get("domain"), q.Get("website"), q.Get("path"), q.Get("prompt")
	s.Platforms, s.BotTypes = s.values["platform"], s.values["bot"]
	s.readPeriod(now)
	s.Product = s.integer("product", q.Get("product"))
	for _, label := range s.values["label"] {
		if n := s.integer("label", label); n > 0 {
			s.Labels = append(s.Labels, n)
		}
	}
	s.Page = max(1, int(s.integer("page", q.Get("page"))))
	s.Interval = choice(s, "interval", api.Day, api.Week)
	s.GroupBy = choice(s, "by", api.GroupProperty, api.GroupPage, api.GroupProduct)
	s.Mentioned = choice(s, "mentioned", "", "yes", "no")
	s.View = choice(s, "view", "prompt", "platform")
	s.Down = choice(s, "order", "up", "down") == "down"
	s.Sort = q.Get("sort")
	return s
}

func (s *state) readPeriod(now time.Time) {
	get := s.values.Get
	w, err := insight.Period(get("from"), get("to"), get("last"), now)
	if err == nil && w.From.Year() < 1970 {
		err = errors.New("from: too long ago")
	}
	if err != nil {
		s.problems = append(s.problems, err.Error())
		for _, name := range []string{"last", "from", "to"} {
			s.values.Del(name)
		}
		w = insight.Usual(now)
	}
	s.Window, s.Before = w, insight.Before(w)
}

func (s *state) integer(name, text string) int64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > 1<<53 {
		s.problems = append(s.problems, name+": must be a number")
		s.values.Del(name)
		return 0
	}
	return n
}

// choice reads a value of a closed list, the first of which is the default.
func choice[T ~string](s *state, name string, allowed ...T) T {
	v := T(s.values.Get(name))
	if v == "" {
		return allowed[0]
	}
	if !slices.Contains(allowed, v) {
		s.problems = append(s.problems, name+": no such choice")
		s.values.Del(name)
		return allowed[0]
	}
	return v
}

func (s *state) promptsRequest(w api.Window) api.PromptsRequest {
	return api.PromptsRequest{Domain: s.Domain, Window: w, Platforms: s.Platforms, LabelIDs: s.Labels}
}

// filtered tells whether platforms or labels narrow the prompts.
func (s *state) filtered() bool { return len(s.Platforms) > 0 || len(s.Labels) > 0 }
