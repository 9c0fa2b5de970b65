package fuzz

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/bench/stress/world"
)

// judge says what is wrong with answers.
type judge struct {
	hidden map[*world.Team][]string // what each team's answers must not contain
}

func newJudge(w *world.World) judge {
	j := judge{hidden: map[*world.Team][]string{nil: w.MayNotSee(nil)}}
	for _, t := range w.Teams {
		j.hidden[t] = w.MayNotSee(t)
	}
	return j
}

var messages = map[int]string{
	http.StatusBadRequest:       api.MessageBadRequest,
	http.StatusUnauthorized:     api.MessageUnauthorized,
	http.StatusNotFound:         api.MessageNotFound,
	http.StatusMethodNotAllowed: api.MessageMethodNotAllowed,
}

func (j judge) wrong(r Request, a answer) error {
	if !slices.Contains(r.Want, a.status) {
		return fmt.Errorf("status %d, want %v", a.status, r.Want)
	}
	for _, mark := range j.hidden[r.Team] {
		if bytes.Contains(a.body, []byte(mark)) {
			return fmt.Errorf("the answer shows %q, which is another team's", mark)
		}
		for name, values := range a.header {
			if strings.Contains(strings.Join(values, " "), mark) {
				return fmt.Errorf("the header %s shows %q, which is another team's", name, mark)
			}
		}
	}
	// What is not HTTP at all is refused before it reaches us, without JSON.
	want, ok := messages[a.status]
	if ok && !r.Head && a.header.Get("Content-Type") == api.MediaJSON {
		if text := fmt.Sprintf("{\"message\":%q}\n", want); string(a.body) != text {
			return fmt.Errorf("the body of a %d is %q, not %q", a.status, a.body, text)
		}
	}
	if a.status == http.StatusUnauthorized && a.header.Get(api.HeaderErrorDetail) != "" {
		return fmt.Errorf("a 401 tells %q", a.header.Get(api.HeaderErrorDetail))
	}
	return nil
}
