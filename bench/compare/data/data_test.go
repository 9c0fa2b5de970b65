package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var tiny = Size{Visits: 20_000, Mentions: 50_000, VisitDays: 20, AnswerDays: 15, Others: 1, Seed: 7}

func table(t *testing.T, size Size, name Table) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := New(size).WriteTable(&text, name, nil); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func TestEqualSeedsGiveEqualData(t *testing.T) {
	other := tiny
	other.Seed++
	for _, name := range Tables {
		t.Run(string(name), func(t *testing.T) {
			first := table(t, tiny, name)
			if len(first) == 0 || !bytes.Equal(first, table(t, tiny, name)) {
				t.Error("two worlds of one seed differ, or are empty")
			}
			random := name == Visits || name == Mentions || name == Citations
			if bytes.Equal(first, table(t, other, name)) == random {
				t.Errorf("the same data from another seed: %t", random)
			}
		})
	}
}

func TestOthersDoNotChangeTheLargeProduct(t *testing.T) {
	crowded := tiny
	crowded.Others = 10
	of := func(size Size) (lines []string) {
		w := New(size)
		w.VisitsOn(w.Websites[0], 3, func(v *Visit) { lines = append(lines, fmt.Sprintf("%+v %v", *v.Page, v.Visitor)) })
		w.AnswersOn(w.Products[0], 3, func(a *Answer) { lines = append(lines, string(a.appendJSON(nil))) })
		return lines
	}
	if a, b := of(tiny), of(crowded); len(a) == 0 || strings.Join(a, "\n") != strings.Join(b, "\n") {
		t.Error("the visits or answers of the large product differ")
	}
	if n := len(New(crowded).Websites); n != 5+45*10 {
		t.Errorf("%d websites", n)
	}
}

func TestAWorldIsAsLargeAsAskedFor(t *testing.T) {
	w := New(tiny)
	visits, largest := 0, 0
	for _, site := range w.Websites {
		for day := range w.VisitDays {
			w.VisitsOn(site, day, func(*Visit) {
				if visits++; site == w.Websites[0] {
					largest++
				}
			})
		}
	}
	near(t, "visits", float64(visits), float64(tiny.Visits), 0.05)
	near(t, "share of the largest website", float64(largest)/float64(visits), largestShare, 0.05)
	var answers, mentions, citations float64
	w.AnswersOn(w.Products[0], 1, func(a *Answer) {
		answers++
		mentions += float64(len(a.Mentions))
		citations += float64(len(a.Citations))
	})
	near(t, "mentions of an answer", mentions/answers, mentionsEach, 0.15)
	near(t, "citations of an answer", citations/answers, 3.3, 0.15)
}

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if got < want*(1-by) || got > want*(1+by) {
		t.Errorf("%s: %.2f, want about %.2f", what, got, want)
	}
}

func TestVisitsComeInTheirDayAndOrder(t *testing.T) {
	w := New(tiny)
	start := w.FirstVisitDay().AddDate(0, 0, 2).Unix()
	last := start
	w.VisitsOn(w.Websites[0], 2, func(v *Visit) {
		if v.Second < last || v.Second >= start+daySeconds {
			t.Fatalf("a visit at %s", time.Unix(v.Second, 0).UTC())
		}
		last = v.Second
		if v.Bot != (v.BotType != "none") || v.Bot && (v.Referred || v.Visitor != 0) {
			t.Fatalf("a visit by nobody: %+v", v)
		}
	})
}

func TestFilesThatAreThereAreKept(t *testing.T) {
	folder := t.TempDir()
	w := New(Size{Visits: 500, VisitDays: 2, AnswerDays: 1, Others: 1, Seed: 1})
	kept := filepath.Join(folder, "visits-2026-06-29.log")
	if err := os.WriteFile(kept, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteFiles(folder, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(kept); string(text) != "mine" {
		t.Error("it was written again")
	}
	text, err := os.ReadFile(filepath.Join(folder, "answers-2026-06-30.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		if !json.Valid(line) {
			t.Fatalf("no JSON: %s", line)
		}
	}
}
