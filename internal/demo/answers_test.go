package demo

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/mention"
)

var (
	end   = time.Date(2026, 11, 15, 10, 30, 0, 0, time.UTC)
	start = end.AddDate(0, 0, -90)
)

type answerLine struct {
	ID       string    `json:"id"`
	PromptID int64     `json:"promptId"`
	Platform string    `json:"platform"`
	At       time.Time `json:"at"`
	Text     *string   `json:"text"`
	Mentions []struct {
		ProductID int64 `json:"productId"`
		Position  int   `json:"position"`
	} `json:"mentions"`
	Citations []string `json:"citations"`
}

// decode reads NDJSON strictly.
func decode[T any](t *testing.T, data []byte) (list []T) {
	t.Helper()
	for line := range bytes.Lines(data) {
		var v T
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, v)
	}
	return list
}

func answersOf(t *testing.T, from, to time.Time) []answerLine {
	t.Helper()
	var b bytes.Buffer
	n, err := Answers(&b, from, to)
	if err != nil {
		t.Fatal(err)
	}
	list := decode[answerLine](t, b.Bytes())
	if len(list) != n {
		t.Fatalf("%d lines, reported as %d", len(list), n)
	}
	return list
}

// quarter is the answers of 90 days, which several tests look at.
var quarter []answerLine

func quarterOf(t *testing.T) []answerLine {
	t.Helper()
	if quarter == nil {
		quarter = answersOf(t, start, end)
	}
	return quarter
}

func TestAnswersFitTheWorkspace(t *testing.T) {
	type track struct {
		platforms []string
		products  []int64
	}
	prompts := make(map[int64]track)
	for _, p := range decodeWorkspace(t).Products {
		for _, q := range p.Prompts {
			prompts[q.ID] = track{q.Platforms, append(p.Competitors, p.ID)}
		}
	}
	ids := make(map[string]bool)
	last := start
	for _, a := range quarterOf(t) {
		q := prompts[a.PromptID]
		if ids[a.ID] || !slices.Contains(q.platforms, a.Platform) {
			t.Fatalf("%+v is there twice or not tracked", a)
		}
		ids[a.ID] = true
		if a.At.Before(last) || !a.At.After(start) || a.At.After(end) {
			t.Fatalf("%s at %v follows %v", a.ID, a.At, last)
		}
		last = a.At
		seen := make(map[int64]bool)
		for i, m := range a.Mentions {
			if m.Position != i+1 || seen[m.ProductID] || !slices.Contains(q.products, m.ProductID) {
				t.Fatalf("%s mentions %+v", a.ID, a.Mentions)
			}
			seen[m.ProductID] = true
		}
	}
}

func TestEveryPromptRunsOnceOrTwiceADayOnEachPlatform(t *testing.T) {
	midnight := time.Date(2026, 10, 5, 0, 0, 0, 0, time.UTC)
	runs := make(map[string]int)
	for _, a := range answersOf(t, midnight.Add(-time.Second), midnight.AddDate(0, 0, 1).Add(-time.Second)) {
		runs[a.ID[:strings.LastIndex(a.ID, "-")]]++
		if want := a.At.Format(time.DateOnly); !strings.Contains(a.ID, want) {
			t.Errorf("%s happened on %s", a.ID, want)
		}
	}
	want := 0
	for _, p := range decodeWorkspace(t).Products {
		for _, q := range p.Prompts {
			want += len(q.Platforms)
		}
	}
	if len(runs) != want {
		t.Errorf("%d of %d prompts and platforms ran", len(runs), want)
	}
	for id, n := range runs {
		if n > 2 {
			t.Errorf("%s ran %d times", id, n)
		}
	}
}

func TestAnswersCiteTwoToSixOfAboutSixtyPages(t *testing.T) {
	pages := make(map[string]bool)
	texts, n := 0, 0
	for _, a := range quarterOf(t) {
		n++
		if a.Text != nil {
			texts++
			if a.Mentions != nil || a.Citations != nil {
				t.Fatalf("%s has a text and more", a.ID)
			}
			continue
		}
		if k := len(a.Citations); k < 2 || k > 6 || len(slices.Compact(slices.Sorted(slices.Values(a.Citations)))) != k {
			t.Fatalf("%s cites %q", a.ID, a.Citations)
		}
		for _, url := range a.Citations {
			pages[strings.TrimSuffix(url, "?utm_source=chatgpt.com")] = true
		}
	}
	if len(pages) < 55 || len(pages) > 65 {
		t.Errorf("%d pages, want about 60", len(pages))
	}
	if share := float64(texts) / float64(n); math.Abs(share-asText) > 0.01 {
		t.Errorf("%.3f of the answers are texts, want %.3f", share, asText)
	}
}

// What a text says must be what the loader finds in it.
func TestTextsSayWhatWasMeant(t *testing.T) {
	w := demoWorld()
	finders := make(map[*prompt]*mention.Finder)
	for _, p := range decodeWorkspace(t).Products {
		var products []mention.Product
		for _, c := range decodeWorkspace(t).Products {
			if c.ID == p.ID || slices.Contains(p.Competitors, c.ID) {
				products = append(products, mention.Product{ID: c.ID, Names: append(c.Names, c.Name), Domain: c.Domain})
			}
		}
		for _, q := range w.byID[p.ID].Prompts {
			finders[q] = mention.NewFinder(products)
		}
	}
	texts := 0
	for d := dayOf(start); d < dayOf(end); d++ {
		for _, a := range w.answers(nil, d) {
			if a.text == "" {
				continue
			}
			texts++
			var found []int64
			for _, m := range finders[a.prompt].Find(a.text) {
				found = append(found, m.ProductID)
			}
			if !slices.Equal(found, a.mentions) || !slices.Equal(mention.URLs(a.text), a.citations) {
				t.Fatalf("found %v and %q, want %v and %q in\n%s", found, mention.URLs(a.text), a.mentions, a.citations, a.text)
			}
		}
	}
	if texts == 0 {
		t.Error("no answer has a text")
	}
}

func TestEveryQuarterSeesALaunchOfEachProduct(t *testing.T) {
	for _, p := range demoWorld().Products {
		launches := 0
		for d := dayOf(start); d < dayOf(end); d++ {
			for _, on := range platforms {
				if launch(p, on.name, d)-launch(p, on.name, d-1) > 0.3 {
					launches++
				}
			}
		}
		if own := p.Team != ""; own != (launches > 0) {
			t.Errorf("%s has %d launches", p.Name, launches)
		}
	}
}

func TestVisibilityFollowsStrength(t *testing.T) {
	counts := make(map[int64]int)
	for _, a := range quarterOf(t) {
		for _, m := range a.Mentions {
			counts[m.ProductID]++
		}
	}
	for _, pair := range [][2]int64{{201, 202}, {202, 204}, {205, 206}, {207, 208}} {
		if counts[pair[0]] <= counts[pair[1]] {
			t.Errorf("%d is mentioned %d times, the weaker %d %d times", pair[0], counts[pair[0]], pair[1], counts[pair[1]])
		}
	}
}
