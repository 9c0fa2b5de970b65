package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/bench/stress/world"
)

var hashSeed = maphash.MakeSeed()

// Expected is what each question is answered in each state of the data: state n
// is the one after n publishes.
type Expected struct {
	Questions []Question
	// Repeat says that the states after the recorded ones are those from this one
	// on, again and again; 0: there are none.
	Repeat  int
	answers [][]uint64 // by state and question
}

// recorded is the state that was recorded for a state.
func (e *Expected) recorded(state int) (int, bool) {
	if e.Repeat > 0 && state >= len(e.answers) {
		state = e.Repeat + (state-e.Repeat)%(len(e.answers)-e.Repeat)
	}
	return state, state < len(e.answers)
}

// Totals are sums over all products. They are known beforehand.
type Totals struct{ Visits, Runs, Cited int64 }

// Record asks a quiet server until its answers add up to what must be there
// after the next publish, and keeps them as the answers of that state.
func (e *Expected) Record(ctx context.Context, address string, keys map[*world.Team]string, want Totals) error {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		sums, got, err := e.askAll(ctx, address, keys)
		if err != nil {
			return err
		}
		if got == want {
			e.answers = append(e.answers, sums)
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("state %d: the answers add up to %+v, want %+v", e.States(), got, want)
		}
	}
}

func (e *Expected) askAll(ctx context.Context, address string, keys map[*world.Team]string) (sums []uint64, totals Totals, err error) {
	for _, q := range e.Questions {
		body, err := ask(ctx, http.DefaultClient, address, q.Target(0), keys[q.Team])
		if err != nil {
			return nil, totals, err
		}
		if err := totals.add(q, body); err != nil {
			return nil, totals, err
		}
		sums = append(sums, maphash.Bytes(hashSeed, body))
	}
	return sums, totals, nil
}

// add adds the figures of an answer.
func (t *Totals) add(q Question, body []byte) (err error) {
	switch q.Sums {
	case Visits:
		var page api.TimeseriesResponse
		err = json.Unmarshal(body, &page)
		for _, item := range page.Items {
			t.Visits += *item.BotVisits + *item.HumanVisits
		}
	case Runs:
		var rows []api.PromptMetric
		err = json.Unmarshal(body, &rows)
		for _, row := range rows {
			if row.RunCount != nil {
				t.Runs += *row.RunCount
			}
		}
	case Cited:
		var answer api.CitationResponse
		err = json.Unmarshal(body, &answer)
		for _, row := range answer.ByPage {
			t.Cited += row.Count
		}
	}
	return err
}

// States is how many states are known.
func (e *Expected) States() int { return len(e.answers) }

// find returns the first state from one to another, both included, in which a
// question has this answer.
func (e *Expected) find(question int, body []byte, from, to int) (state int, ok bool) {
	sum := maphash.Bytes(hashSeed, body)
	for state := from; state <= to; state++ {
		if r, ok := e.recorded(state); ok && e.answers[r][question] == sum {
			return state, true
		}
	}
	return 0, false
}

func ask(ctx context.Context, client *http.Client, address, target, key string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+target, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s", target, res.StatusCode, body)
	}
	return body, err
}
