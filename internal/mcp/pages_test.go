package mcp_test

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/api"
)

func call(tool string) *sdk.CallToolParams { return &sdk.CallToolParams{Name: tool} }

// page is what the structured content of a tool with rows says about them.
type page struct {
	Page, PerPage, TotalPages, TotalItems, NextPage, LeftOut int64
	Prompts, Days, Items                                     []json.RawMessage
	Notes                                                    []string
}

func (p page) rows() []json.RawMessage { return append(append(p.Prompts, p.Days...), p.Items...) }

// follow collects all rows by doing what the answers say.
func (s *session) follow(tool string, a args) (rows []json.RawMessage, pages int) {
	s.Helper()
	for next := int64(1); next != 0; pages++ {
		a["page"] = next
		var p page
		s.answer(tool, a, &p)
		if p.LeftOut != 0 || p.Page != next || len(p.rows()) == 0 {
			s.Fatalf("%s %v: page %+v", tool, a, p)
		}
		rows, next = append(rows, p.rows()...), p.NextPage
		if int64(len(rows)) > p.TotalItems || (next == 0) != (int64(len(rows)) == p.TotalItems) || (next == 0) != (len(p.Notes) == 0) {
			s.Fatalf("%s %v: %d rows of %d, next page %d, %q", tool, a, len(rows), p.TotalItems, next, p.Notes)
		}
	}
	return rows, pages
}

func TestPagesAddUpToTheWhole(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	for _, tool := range []string{"get_prompts", "get_visibility_trend", "get_agent_traffic"} {
		t.Run(tool, func(t *testing.T) {
			whole, one := s.follow(tool, args{"productId": 101, "dateTo": "2026-03-04", "perPage": 500})
			parts, many := s.follow(tool, args{"productId": 101, "dateTo": "2026-03-04", "perPage": 2})
			if d := cmp.Diff(whole, parts); d != "" || one != 1 || many < 2 {
				t.Errorf("%d and %d pages: %s", one, many, d)
			}
		})
	}
}

func TestPagesOfCitationsCountForEachList(t *testing.T) {
	s, got := connect(t, demoBase, agencyKey), make(map[string]page)
	var raw map[string]json.RawMessage
	s.answer("get_citations", args{"productId": 101, "perPage": 4, "page": 2}, &raw)
	for _, name := range []string{"byProperty", "byPage", "byProduct"} {
		var p page
		if err := json.Unmarshal(raw[name], &p); err != nil {
			t.Fatal(err)
		}
		got[name] = p
	}
	for name, want := range map[string]struct {
		rows int
		next int64
	}{"byProperty": {4, 3}, "byPage": {4, 3}, "byProduct": {1, 0}} {
		if p := got[name]; len(p.Items) != want.rows || p.NextPage != want.next || p.Page != 2 || p.TotalItems <= 4 {
			t.Errorf("%s: %d rows, next page %d of %+v", name, len(p.Items), p.NextPage, p)
		}
	}
}

// A long page is cut, says by how much, and its advice leads to all rows.
func TestALongAnswerIsCutAndSaysHowToGetTheRest(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	a := args{"productId": 101, "perPage": 500, "metrics": api.Metrics, "groupBy": api.Dimensions}
	var p page
	r := s.answer("get_agent_traffic", a, &p)
	if len(r.raw) > 50_000 || len(r.text) > 50_000 {
		t.Errorf("%d bytes of structure, %d of text", len(r.raw), len(r.text))
	}
	if p.LeftOut == 0 || int64(len(p.Items))+p.LeftOut != 500 {
		t.Fatalf("%d rows, %d left out", len(p.Items), p.LeftOut)
	}
	advice := regexp.MustCompile(`The last (\d+) rows of this page are left out.* perPage=(\d+) or less`).FindStringSubmatch(r.text)
	if advice == nil || advice[1] != strconv.FormatInt(p.LeftOut, 10) || advice[2] != strconv.Itoa(len(p.Items)) {
		t.Fatalf("the text says %q, and %d rows are left out", advice, p.LeftOut)
	}
	a["perPage"] = len(p.Items) * 3 / 4
	rows, _ := s.follow("get_agent_traffic", a)
	if int64(len(rows)) != p.TotalItems || string(rows[0]) != string(p.Items[0]) {
		t.Errorf("%d rows by following the advice, want %d", len(rows), p.TotalItems)
	}
}

func TestTheLastPageCanBeCutToo(t *testing.T) {
	url := fake(t, 200, `[`+strings.TrimSuffix(strings.Repeat(`{"promptText":"`+strings.Repeat("x", 9000)+`","platform":"openai","domain":"d.example","position":null,"visibility":null,"rank":null,"runCount":null,"labels":[]},`, 7), ",")+`]`)
	var p page
	r := connect(t, url, agencyKey).answer("get_prompts", args{"productId": 1, "domain": "d.example"}, &p)
	if len(p.Prompts) != 4 || p.LeftOut != 3 || !strings.Contains(r.text, "The last 3 rows of this page are left out, to keep the answer short. To get them, ask with perPage=4 or less") {
		t.Errorf("%d rows, %d left out: %s", len(p.Prompts), p.LeftOut, p.Notes)
	}
	if len(r.text) > 4000 {
		t.Errorf("%d bytes of text: long cells are not cut", len(r.text))
	}
}
