package ingest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

const workspace = `
teams: [{id: acme, name: Acme}]
products:
  - id: 101
    team: acme
    name: Acme Rocket
    names: [Acme]
    website: https://www.acme.com
    domain: acme.com
    competitors: [201]
    websites: [{websiteId: w, domain: acme.com}, {websiteId: v, domain: shop.example, tracked: false}]
    prompts: [{id: 11, text: rocket, platforms: [openai]}]
  - {id: 201, name: Zoom, website: "https://zoom.example", domain: zoom.example}
`

func testCatalog(t testing.TB) *catalog.Snapshot {
	t.Helper()
	ctx := t.Context()
	store, err := catalog.Open(ctx, filepath.Join(t.TempDir(), "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	w, err := catalog.ParseWorkspace("w", []byte(workspace))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Apply(ctx, w); err != nil {
		t.Fatal(err)
	}
	snapshot, err := store.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// outcome is what became of a line with one event.
type outcome struct {
	visit    *facts.Visit
	answer   *facts.Answer
	dropped  string
	rejected *rejection
}

// testParser parses lines with one event.
func testParser(t testing.TB, source Source) func([]byte) outcome {
	t.Helper()
	j := &Job{Source: source, Catalog: testCatalog(t), Agents: agents.Default(), Secret: make([]byte, 32)}
	language, err := j.language(nil, &Summary{})
	if err != nil {
		t.Fatal(err)
	}
	desk := newDesk(1)
	return func(text []byte) (o outcome) {
		r := results{}
		language.reader().read(text, desk, &r)
		for _, v := range r.visits {
			o.visit = &v
		}
		for _, a := range r.answers {
			o.answer = a
		}
		for _, d := range r.dropped {
			o.dropped = d.reason
		}
		for _, why := range r.rejected {
			o.rejected = &why.rejection
		}
		return o
	}
}

func TestAnswersAreRead(t *testing.T) {
	parse := testParser(t, Answers)
	for _, c := range []struct{ name, line, want string }{
		{"given mentions are taken as given",
			`"mentions":[{"productId":201,"position":4},{"productId":101,"position":2}]`, "[{201 4} {101 2}] []"},
		{"no mention", `"mentions":[]`, "[] []"},
		{"mentions found in the text", `"text":"Zoom is fine, ACME is better. Acme!"`, "[{201 1} {101 2}] []"},
		{"given mentions win over the text", `"mentions":[],"text":"Acme, see https://a.example/x."`, "[] [{https://a.example/x a.example}]"},
		{"given citations win over the text", `"citations":["https://b.example/"],"text":"see https://a.example/x"`, "[] [{https://b.example/ b.example}]"},
		{"no citations given", `"mentions":[],"citations":[]`, "[] []"},
		{"a URL counts once an answer", `"mentions":[],"citations":["HTTPS://www.A.example:443/x?utm_source=y#z","https://www.a.example/x"]`,
			"[] [{https://www.a.example/x a.example}]"},
		{"null is as absent", `"text":"Acme","mentions":null,"citations":null`, "[{101 1}] []"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := parse([]byte(`{"id":"a","promptId":11,"platform":"openai","at":"2026-03-02T09:00:00.999+01:00",` + c.line + `}`))
			if o.rejected != nil {
				t.Fatalf("rejected: %v", *o.rejected)
			}
			if got := fmt.Sprint(o.answer.Mentions, o.answer.Citations); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if o.answer.Second != 1772438400 {
				t.Errorf("second %d: parts of a second are cut off and times are UTC", o.answer.Second)
			}
		})
	}
}

const (
	chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36"
	gptbot = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
)

func TestPageviewsAreClassified(t *testing.T) {
	parse := testParser(t, Pageviews)
	for _, c := range []struct{ name, line, want string }{
		{"a human", `"url":"https://acme.com/","userAgent":"` + chrome + `"`, "human none none"},
		{"an AI agent", `"url":"https://acme.com/","userAgent":"` + gptbot + `"`, "bot openai gptbot"},
		{"another bot", `"url":"https://acme.com/","userAgent":"curl/8.5.0"`, "bot other other"},
		{"no user agent", `"url":"https://acme.com/"`, "bot other other"},
		{"referred by an AI platform", `"url":"https://acme.com/","userAgent":"` + chrome + `","referrer":"https://www.perplexity.ai/"`, "human perplexity none referred"},
		{"referred by another site", `"url":"https://acme.com/","userAgent":"` + chrome + `","referrer":"https://news.example/"`, "human none none referred"},
		{"from the page's own host", `"url":"https://www.acme.com/","userAgent":"` + chrome + `","referrer":"https://acme.com/x"`, "human none none"},
		{"a path alone is on the website's host", `"url":"/x","userAgent":"` + chrome + `","referrer":"https://acme.com/x"`, "human none none"},
		{"utm_source is looked at first", `"url":"https://acme.com/?utm_source=chatgpt.com","userAgent":"` + chrome + `","referrer":"https://www.perplexity.ai/"`, "human openai none referred"},
		{"a utm_source that is no AI platform leaves the referrer", `"url":"https://acme.com/?utm_source=mail","userAgent":"` + chrome + `","referrer":"https://www.perplexity.ai/"`, "human perplexity none referred"},
		{"utm_source on the own host", `"url":"https://acme.com/?utm_source=mail","userAgent":"` + chrome + `","referrer":"https://acme.com/"`, "human none none referred"},
		{"a bot is not referred", `"url":"https://acme.com/?utm_source=chatgpt.com","userAgent":"` + gptbot + `"`, "bot openai gptbot"},
		{"given bot type", `"url":"https://acme.com/","userAgent":"` + chrome + `","botType":"claudebot"`, "bot claude claudebot"},
		{"given bot type that is not in the table", `"url":"https://acme.com/","userAgent":"` + chrome + `","botType":"mine"`, "bot other mine"},
		{"given as human", `"url":"https://acme.com/","userAgent":"` + gptbot + `","botType":"none"`, "human none none"},
		{"given platform", `"url":"https://acme.com/","userAgent":"` + gptbot + `","platform":"mine"`, "bot mine gptbot"},
		{"a static asset", `"url":"https://acme.com/A.PNG?x","userAgent":"` + gptbot + `"`, "dropped: static asset"},
		{"text is kept for bots", `"url":"https://acme.com/llms.txt","userAgent":"` + gptbot + `"`, "bot openai gptbot"},
		{"text is dropped for humans", `"url":"https://acme.com/llms.txt","userAgent":"` + chrome + `"`, "dropped: static asset"},
		{"HEAD by a bot", `"url":"https://acme.com/","method":"head","userAgent":"` + gptbot + `"`, "bot openai gptbot"},
		{"HEAD by a human", `"url":"https://acme.com/","method":"HEAD","userAgent":"` + chrome + `"`, "dropped: " + droppedMethod},
		{"not modified", `"url":"https://acme.com/","status":304,"userAgent":"` + gptbot + `"`, "bot openai gptbot"},
		{"not found", `"url":"https://acme.com/","status":404,"userAgent":"` + gptbot + `"`, "dropped: " + droppedStatus},
		{"redirect", `"url":"https://acme.com/","status":301,"userAgent":"` + gptbot + `"`, "dropped: " + droppedStatus},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := describe(parse([]byte(`{"at":"2026-03-02T09:00:00Z","websiteId":"w",` + c.line + `}`)))
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func describe(o outcome) string {
	switch {
	case o.rejected != nil:
		return "rejected: " + o.rejected.reason + ": " + o.rejected.detail
	case o.dropped != "":
		return "dropped: " + o.dropped
	}
	who := "human"
	if o.visit.Bot {
		who = "bot"
	}
	who += " " + o.visit.Platform + " " + o.visit.BotType
	if o.visit.Referred {
		who += " referred"
	}
	return who
}

func TestWrongPageviewsAreRejected(t *testing.T) {
	parse := testParser(t, Pageviews)
	base := map[string]string{"at": `"2026-03-02T09:00:00Z"`, "websiteId": `"w"`, "url": `"https://acme.com/"`}
	for _, c := range []struct{ field, value, want string }{
		{"at", `""`, "missing field: at"},
		{"at", `"yesterday"`, "bad time: not an RFC 3339 date-time such as 2026-03-01T00:00:00Z"},
		{"at", `1772438400`, "field of a wrong type: at: number"},
		{"websiteId", `""`, "missing field: websiteId"},
		{"websiteId", `"nope"`, "unknown website: websiteId nope is not in the workspace: run sightline apply first"},
		{"url", `""`, "missing field: url"},
		{"url", `"ftp://acme.com/"`, "bad url: neither an http(s) URL nor a path"},
		{"url", `"` + strings.Repeat("https://acme.com/", 10_000) + `"`, "bad url: longer than 8192 bytes"},
		{"status", `99`, "bad field: status 99 is no HTTP status"},
		{"status", `"200"`, "field of a wrong type: status: string"},
		{"method", `""`, "bad field: method is empty"},
		{"ip", `"10.0.0.300"`, "bad field: ip is no address"},
		{"platform", `" openai"`, "bad field: platform has white space around it"},
		{"botType", `"a\u0000b"`, "bad field: botType has control characters"},
		{"visitorId", `"` + strings.Repeat("v", 513) + `"`, "bad field: visitorId is longer than 512 bytes"},
	} {
		t.Run(c.field+" "+c.value[:min(len(c.value), 20)], func(t *testing.T) {
			fields := []string{fmt.Sprintf("%q:%s", c.field, c.value)}
			for f, v := range base {
				if f != c.field {
					fields = append(fields, fmt.Sprintf("%q:%s", f, v))
				}
			}
			got := describe(parse([]byte("{" + strings.Join(fields, ",") + "}")))
			if got != "rejected: "+c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	for _, text := range []string{"", "[]", "null", `"x"`, "{", `{"at":}`, "{} {}", "\x00", "{\"at\":\"\xff\"}"} {
		if o := parse([]byte(text)); o.rejected == nil {
			t.Errorf("%q was not rejected", text)
		}
	}
}

func TestVisitorsArePerWebsiteAndWeek(t *testing.T) {
	parse := testParser(t, Pageviews)
	visitor := func(at, website, ip, agent, id string) uint64 {
		o := parse(fmt.Appendf(nil, `{"at":%q,"websiteId":%q,"url":"/","userAgent":%q,"ip":%q,"visitorId":%q}`, at, website, agent, ip, id))
		if o.visit == nil {
			t.Fatal(describe(o))
		}
		return o.visit.Visitor
	}
	const monday, sunday, next = "2026-03-02T00:00:00Z", "2026-03-08T23:59:59Z", "2026-03-09T00:00:00Z"
	one := visitor(monday, "w", "203.0.113.1", chrome, "")
	for _, c := range []struct {
		name string
		got  uint64
		same bool
	}{
		{"the same week", visitor(sunday, "w", "203.0.113.1", chrome, ""), true},
		{"an IPv4 address in IPv6's form", visitor(monday, "w", "::ffff:203.0.113.1", chrome, ""), true},
		{"the next week", visitor(next, "w", "203.0.113.1", chrome, ""), false},
		{"another website", visitor(monday, "v", "203.0.113.1", chrome, ""), false},
		{"another address", visitor(monday, "w", "203.0.113.2", chrome, ""), false},
		{"another browser", visitor(monday, "w", "203.0.113.1", chrome+" x", ""), false},
		{"an id of the sender's", visitor(monday, "w", "203.0.113.1", chrome, "id"), false},
	} {
		if (c.got == one) != c.same {
			t.Errorf("%s: same visitor is %t, want %t", c.name, c.got == one, c.same)
		}
	}
	if visitor(monday, "w", "2001:db8:1:2::1", chrome, "") != visitor(monday, "w", "2001:db8:1:2:ffff::2", chrome, "") {
		t.Error("two addresses of one /64 are two visitors")
	}
	if visitor(monday, "w", "2001:db8:1:2::1", chrome, "") == visitor(monday, "w", "2001:db8:1:3::1", chrome, "") {
		t.Error("two networks are one visitor")
	}
	if visitor(monday, "w", "203.0.113.1", chrome, "id") != visitor(next, "w", "203.0.113.9", chrome, "id") {
		t.Error("the sender's own id does not hold across weeks")
	}
}

func TestThePartsOfAVisitorDoNotRunTogether(t *testing.T) {
	if bytes.Equal(part(part(nil, "ab"), "c"), part(part(nil, "a"), "bc")) {
		t.Error("ab c and a bc are one")
	}
}

func FuzzAnswerLine(f *testing.F) {
	parse := testParser(f, Answers)
	f.Add([]byte(`{"id":"a-1","promptId":11,"platform":"openai","at":"2026-03-02T09:15:00Z","text":"Acme https://a.example/","citations":["https://example.com/a"]}`))
	f.Add([]byte(`{"id":"a-2","promptId":11,"platform":"openai","at":"2026-03-03T09:15:00Z","mentions":[{"productId":201,"position":1}]}`))
	f.Add([]byte("{\"id\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		first, second := parse(line), parse(line)
		if (first.rejected == nil) == (first.answer == nil) {
			t.Fatalf("neither or both: %+v", first)
		}
		if diff := cmp.Diff(first.answer, second.answer); diff != "" {
			t.Errorf("parsing twice differs:\n%s", diff)
		}
	})
}

func FuzzPageviewLine(f *testing.F) {
	parse := testParser(f, Pageviews)
	f.Add([]byte(`{"at":"2026-03-02T09:15:00Z","websiteId":"w","url":"https://acme.com/blog/?utm_source=chatgpt.com","method":"GET","status":200,"userAgent":"Mozilla/5.0","referrer":"https://chatgpt.com/","ip":"203.0.113.9"}`))
	f.Add([]byte(`{"at":"2026-03-02T09:15:00Z","websiteId":"w","url":"/%ff/..;jsessionid=1/index.html","ip":"::1"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		o := parse(line)
		outcomes := 0
		for _, is := range []bool{o.rejected != nil, o.visit != nil, o.dropped != ""} {
			if is {
				outcomes++
			}
		}
		if outcomes != 1 {
			t.Fatalf("%d outcomes: %+v", outcomes, o)
		}
		if v := o.visit; v != nil && (v.Bot && v.Referred || !v.Bot && v.BotType != "none" || v.NormalizedURLPath == "") {
			t.Errorf("impossible visit %+v", v)
		}
	})
}
