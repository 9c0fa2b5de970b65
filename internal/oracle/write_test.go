package oracle

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestWorkspaceFile(t *testing.T) {
	var file struct {
		Teams    []map[string]any
		Products []map[string]any
	}
	if err := json.Unmarshal(small().WorkspaceJSON(), &file); err != nil {
		t.Fatal(err)
	}
	acme, zoom := lineByLine(t, file.Products[1]), lineByLine(t, file.Products[2])
	for _, part := range []string{
		`"team":"acme"`, `"competitors":[201,301]`, `{"id":2,"name":"price"}`,
		`{"domain":"shop.example","partner":true,"websiteId":"w-shop"}`,
		`{"domain":"old.acme.com","tracked":false,"websiteId":"w-old"}`,
		`{"domain":"acme.com","websiteId":"w-acme"}`,
		`{"id":11,"labels":[2,1],"platforms":["openai","claude"],"text":"best rocket"}`, // the default domain
		`{"domain":"acme.com","id":12,`,
		`{"domain":"shop.example","id":13,`,
	} {
		if !strings.Contains(acme, part) {
			t.Errorf("no %s in %s", part, acme)
		}
	}
	if want := `{"domain":"zoom.example","id":201,"name":"Zoom Rockets","website":"https://zoom.example"}`; zoom != want {
		t.Errorf("a product without a team is written as %s, want %s", zoom, want)
	}
	if manages := lineByLine(t, file.Teams[1]["manages"]); manages != `"acme"` {
		t.Errorf("agency manages %s", manages)
	}
}

func TestLines(t *testing.T) {
	w := small()
	w.Answers = []Answer{cites(run("a1", 11, "openai", "2026-03-02T10:00:00.5+01:00", 201, 101), "https://wiki.example/1", "wiki.example")}
	w.Pageviews = []Pageview{human(noon), with(bot(noon), func(l *Pageview) { l.ID, l.Method, l.Status = "v", "HEAD", 304 })}
	if got, want := string(w.AnswersNDJSON(0, 1)), `{"at":"2026-03-02T10:00:00.5+01:00","citations":["https://wiki.example/1"],"id":"a1",`+
		`"mentions":[{"position":1,"productId":201},{"position":2,"productId":101}],"platform":"openai","promptId":11}`+"\n"; got != want {
		t.Errorf("answers:\n%swant\n%s", got, want)
	}
	if got, want := string(w.PageviewsNDJSON(0, 1)), `{"at":"2026-03-02T12:00:00Z","ip":"203.0.113.9","url":"https://acme.com/pricing","userAgent":"Firefox","websiteId":"w-acme"}`+"\n"+
		`{"at":"2026-03-02T12:00:00Z","id":"v","ip":"203.0.113.9","method":"HEAD","status":304,"url":"https://acme.com/pricing","userAgent":"GPTBot/1.2","websiteId":"w-acme"}`+"\n"; got != want {
		t.Errorf("pageviews:\n%swant\n%s", got, want)
	}
}

func TestLoadsAreTheLinesInOrder(t *testing.T) {
	w := visited()
	w.Loads = 3
	if n := len(w.AnswerLoads()); n != 3 {
		t.Errorf("%d loads, want 3", n)
	}
	if got := bytes.Join(w.AnswerLoads(), nil); !bytes.Equal(got, w.AnswersNDJSON(0, 1)) {
		t.Errorf("together the loads are\n%s", got)
	}
}

func TestEmptyLoadsAreLeftOut(t *testing.T) {
	w := visited()
	w.Loads, w.Answers = 4, w.Answers[:2]
	if n := len(w.AnswerLoads()); n != 2 {
		t.Errorf("%d loads for two answers, want 2", n)
	}
	if n := len(w.PageviewLoads()); n != 0 {
		t.Errorf("%d loads for no pageviews, want none", n)
	}
}

func TestEqualLoadsAreOneLoad(t *testing.T) {
	w := small()
	w.Loads, w.Pageviews = 2, []Pageview{human(noon), human(noon)}
	files := w.PageviewLoads()
	if len(files) != 1 || bytes.Count(files[0], []byte("\n")) != 2 {
		t.Errorf("got %d loads: %s", len(files), bytes.Join(files, []byte("--\n")))
	}
}

func TestASmallWorldShowsItsFiles(t *testing.T) {
	w := &World{Teams: []Team{{ID: "acme"}}, Loads: 2}
	if got, want := w.GoString(), "world in 2 loads:\n{\"products\":[],\"teams\":[{\"id\":\"acme\",\"name\":\"\"}]}\n--\n--\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w.Answers = make([]Answer, 1000)
	if got, want := w.GoString(), "world of 1 teams, 0 products, 1000 answers, 0 pageviews"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
