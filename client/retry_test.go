package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sightline-hq/sightline/client"
)

// waits calls a server that always answers in one way, and returns the times
// between attempts.
func waits(t *testing.T, answer func() *http.Response, options ...client.Option) (between []time.Duration, err error) {
	t.Helper()
	var last time.Time
	tr := &transport{answer: func(attempt int, _ *http.Request) (*http.Response, error) {
		if attempt > 1 {
			between = append(between, time.Since(last))
		}
		last = time.Now()
		return answer(), nil
	}}
	_, err = through(t, tr, options...).Products(t.Context())
	return between, err
}

func drawing(f float64) client.Option { return client.WithRandom(func() float64 { return f }) }

func TestWaitsAreDrawnBelowALimitThatDoubles(t *testing.T) {
	limits := []time.Duration{500, 1000, 2000, 4000, 8000, 10_000, 10_000} // milliseconds
	for _, draw := range []float64{0, 0.25, 0.5, 0.999} {
		t.Run(fmt.Sprint(draw), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := waits(t, func() *http.Response { return reply(500, "") }, client.WithMaxAttempts(8), drawing(draw))
				var want []time.Duration
				for _, limit := range limits {
					want = append(want, time.Duration(draw*float64(limit*time.Millisecond)))
				}
				if !slices.Equal(got, want) || failed(t, err).Attempts != 8 {
					t.Errorf("waited %v, %v, want %v", got, err, want)
				}
			})
		})
	}
}

func TestWaitsFillTheirWholeRange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all []time.Duration
		for range 300 {
			got, _ := waits(t, func() *http.Response { return reply(502, "") }, client.WithMaxAttempts(2))
			all = append(all, got...)
		}
		// The chance that 300 fair draws leave a fifth of the range out is 0.8 to the 300th.
		if low, high := slices.Min(all), slices.Max(all); len(all) != 300 || high >= 500*time.Millisecond ||
			low > 100*time.Millisecond || high < 400*time.Millisecond {
			t.Errorf("%d waits from %v to %v, want 300 from near 0 to near 500ms", len(all), low, high)
		}
	})
}

func TestRetryAfterIsTheLeastWait(t *testing.T) {
	date := func(d time.Duration) string { return time.Now().UTC().Add(d).Format(http.TimeFormat) }
	const half = 250 * time.Millisecond // what is drawn on top
	cases := []struct {
		name   string
		status int
		header func() []string
		want   time.Duration
	}{
		{"seconds", 503, func() []string { return []string{"Retry-After", "7"} }, 7*time.Second + half},
		{"seconds with a 500", 500, func() []string { return []string{"Retry-After", "2"} }, 2*time.Second + half},
		{"zero", 503, func() []string { return []string{"Retry-After", "0"} }, half},
		{"a date", 503, func() []string { return []string{"Retry-After", date(30 * time.Second)} }, 30*time.Second + half},
		{"a date by a clock of its own", 503, func() []string {
			return []string{"Retry-After", date(-time.Hour + 9*time.Second), "Date", date(-time.Hour)}
		}, 9*time.Second + half},
		{"a date gone by", 503, func() []string { return []string{"Retry-After", date(-time.Minute)} }, half},
		{"words", 503, func() []string { return []string{"Retry-After", "soon"} }, half},
		{"a negative number", 503, func() []string { return []string{"Retry-After", "-5"} }, half},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := waits(t, func() *http.Response { return reply(c.status, "", c.header()...) }, client.WithMaxAttempts(2), drawing(0.5))
				if !slices.Equal(got, []time.Duration{c.want}) || failed(t, err).Attempts != 2 {
					t.Errorf("waited %v, %v, want %v", got, err, c.want)
				}
			})
		})
	}
}

func TestAWaitThatOutlastsTheCallIsNotBegun(t *testing.T) {
	cases := []struct {
		name, after string
		deadline    time.Duration
	}{
		{"longer than the total time", "61", time.Hour},
		{"longer than the context's deadline", "6", 5 * time.Second},
		{"a date further away than a duration can say", "Fri, 31 Dec 9999 23:59:59 GMT", time.Hour},
		{"longer than a number can say", "99999999999999999999999", time.Hour},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
				defer cancel()
				tr := always(503, `{"message":"Service unavailable."}`, "Retry-After", c.after)
				began := time.Now()
				_, err := through(t, tr, client.WithTotalTime(time.Minute)).Products(ctx)
				e := failed(t, err)
				if time.Since(began) != 0 || e.Attempts != 1 || e.Status != 503 || e.RetryAfter <= 5*time.Second || !errors.Is(err, client.ErrUnavailable) {
					t.Errorf("after %v: %v", time.Since(began), err)
				}
			})
		})
	}
}

func TestTotalTimeBoundsAllAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := &transport{answer: func(_ int, r *http.Request) (*http.Response, error) {
			select { // each attempt takes its time
			case <-time.After(4 * time.Second):
				return reply(500, ""), nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}}
		began := time.Now()
		_, err := through(t, tr, client.WithTotalTime(10*time.Second), client.WithMaxAttempts(100), drawing(0)).Products(t.Context())
		e := failed(t, err)
		if time.Since(began) != 10*time.Second || e.Attempts != 3 || e.Status != 0 ||
			!errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, client.ErrUnavailable) {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestCancellingEndsAWaitAtOnce(t *testing.T) {
	gone := errors.New("the user has gone")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(3*time.Second, func() { cancel(gone) })
		tr := always(503, "", "Retry-After", "20")
		began := time.Now()
		_, err := through(t, tr).Products(ctx)
		if time.Since(began) != 3*time.Second || tr.sent.Load() != 1 || failed(t, err).Status != 503 ||
			!errors.Is(err, context.Canceled) || !errors.Is(err, gone) {
			t.Errorf("after %v and %d requests: %v", time.Since(began), tr.sent.Load(), err)
		}
	})
}

func TestACallersOwnEndIsNotTheServersFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		tr := &transport{answer: func(_ int, r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}}
		_, err := through(t, tr).Products(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, client.ErrUnavailable) || tr.sent.Load() != 1 {
			t.Errorf("%d requests: %v", tr.sent.Load(), err)
		}
	})
}

func TestRetriesRepeatTheSameRequest(t *testing.T) {
	var urls []string
	tr := &transport{answer: func(_ int, r *http.Request) (*http.Response, error) {
		urls = append(urls, r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization"))
		return nil, errors.New("broken")
	}}
	_, err := through(t, tr, client.WithMaxAttempts(3), noWaits()).Prompts(t.Context(), 7, asked)
	if len(urls) != 3 || len(slices.Compact(urls)) != 1 || failed(t, err).Attempts != 3 {
		t.Errorf("sent %q: %v", urls, err)
	}
}
