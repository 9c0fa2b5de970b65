package admin_test

import (
	"context"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/admin"
	"github.com/sightline-hq/sightline/internal/facts"
)

// empty is facts without any.
type empty struct{ facts.Set }

func (empty) Acquire() (facts.Set, error) { return empty{}, nil }
func (empty) Version() int64              { return 1 }
func (empty) Close()                      {}

// One visit with a wrong clock must not make the facts look fresh for years.
func TestWeeksInTheFutureSayNothingAboutHowFreshTheFactsAre(t *testing.T) {
	now := time.Now().Unix()
	newest := admin.Newest{Facts: empty{}, Status: func(context.Context) (facts.Status, error) {
		return facts.Status{Weeks: []facts.Weeks{
			{Kind: facts.KindVisits, Files: 1, Rows: 5, Newest: now - 60},
			{Kind: facts.KindVisits, Files: 1, Rows: 1, Newest: now + 5*365*facts.DaySeconds},
			{Kind: facts.KindAnswers, Files: 1, Rows: 1, Newest: now + 5*365*facts.DaySeconds},
		}}, nil
	}}
	seconds, err := newest.Seconds(t.Context())
	if err != nil || len(seconds) != 1 || seconds[facts.KindVisits] != now-60 {
		t.Errorf("%v, %v; now is %d", seconds, err, now)
	}
}
