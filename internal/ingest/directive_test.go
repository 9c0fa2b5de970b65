package ingest

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/facts"
)

// The columns of a W3C log change in the middle: each line is read with those
// that were named before it.
func TestLinesAreReadWithTheFieldsNamedBeforeThem(t *testing.T) {
	const log = `#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-host
2026-03-02 09:16:00 203.0.113.10 GET /one 200 GPTBot/1.0 acme.com
2026-03-02 09:16:01 203.0.113.10 GET /two 200 GPTBot/1.0 acme.com
#Fields: date time c-ip cs-method cs-uri-stem sc-status cs-host cs(User-Agent)
2026-03-02 09:16:02 203.0.113.10 GET /three 200 acme.com GPTBot/1.0
`
	j := &Job{Source: Logs, Catalog: testCatalog(t), Agents: agents.Default(), Secret: make([]byte, 32)}
	language, err := j.language([]byte(log), &Summary{})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	desk := newDesk(1)
	s := &splitter{from: strings.NewReader(log), language: language, sum: newMarkedSum(), emit: func(b *block) error {
		b.read(desk)
		for _, v := range b.results.visits {
			seen = append(seen, v.URLPath+" "+v.BotType)
		}
		for _, r := range b.results.rejected {
			t.Errorf("rejected %s: %s", r.text, r.reason)
		}
		return nil
	}}
	if err := s.all(facts.Input{}, true); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(seen, ", "); got != "/one gptbot, /two gptbot, /three gptbot" {
		t.Errorf("got %s", got)
	}
}

func TestAnInputIsRecognisedByItsBeginning(t *testing.T) {
	const line = "a line of some length, to fill the marks\n"
	text := strings.Repeat(line, 1000)
	sum := newMarkedSum()
	sum.Write([]byte(text))
	if n := len(sum.marks); n != 4 { // at 4, 8, 16 and 32 KiB
		t.Errorf("%d marks", n)
	}
	for _, m := range sum.marks {
		if want := sha256.Sum256([]byte(text[:m.Bytes])); m.SHA256 != hexSum(text[:m.Bytes]) {
			t.Errorf("the mark at %d is %s, want %x", m.Bytes, m.SHA256, want)
		}
	}
}
