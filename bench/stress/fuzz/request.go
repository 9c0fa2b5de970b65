package fuzz

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/sightline-hq/sightline/bench/stress/world"
)

// Request is one request as it goes over the wire, and what must become of it.
type Request struct {
	Kind string
	Wire []byte
	Head bool        // the answer has no body
	Want []int       // statuses, one of which must come
	Team *world.Team // whose key it carries; nil: no key that is valid
	Last bool        // the connection may end with its answer
	Long bool        // it may be refused before it is read, by a connection that is cut
}

// Keys are those that requests carry.
type Keys struct {
	Valid map[*world.Team]string
	// Overlapping were rotated, and go on working for a while. They reach what the
	// valid one of their team reaches.
	Overlapping map[*world.Team]string
	Dead        []string // revoked, expired, or beyond their overlap
}

// Maker makes random requests. It is not safe for concurrent use.
type Maker struct {
	World   *world.World
	Keys    Keys
	random  *rand.Rand
	earlier []Request
}

// NewMaker makes the requests of a seed and a stream.
func NewMaker(w *world.World, keys Keys, seed, stream uint64) *Maker {
	return &Maker{World: w, Keys: keys, random: rand.New(rand.NewPCG(seed, stream))}
}

// kinds are the kinds of requests and how many in a hundred are of each.
var kinds = []struct {
	name string
	of   int
	make func(*Maker) Request
}{
	{"valid", 40, (*Maker).valid},
	{"broken parameter", 15, (*Maker).broken},
	{"mutated query", 13, (*Maker).mutated},
	{"product out of reach", 8, (*Maker).outOfReach},
	{"key that is none", 10, (*Maker).badKey},
	{"odd path", 6, (*Maker).oddPath},
	{"odd method", 3, (*Maker).oddMethod},
	{"document", 1, (*Maker).document},
	{"odd protocol", 4, (*Maker).oddProtocol},
}

// Next makes a request.
func (m *Maker) Next() Request {
	n := m.random.IntN(100)
	for _, k := range kinds {
		if n -= k.of; n < 0 {
			r := k.make(m)
			r.Kind = k.name
			return r
		}
	}
	panic("the kinds are fewer than a hundred")
}

// caller picks a team and one of the products that it reaches.
func (m *Maker) caller() (*world.Team, *world.Product) {
	team := pick(m, m.World.Teams)
	return team, pick(m, team.Reachable())
}

// request puts a request together, with headers that change nothing of its
// status but for a 304.
func (m *Maker) request(team *world.Team, authorization, target string, want ...int) Request {
	r := Request{Team: team, Want: want}
	method := "GET"
	if m.chance(20) {
		method, r.Head = "HEAD", true
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: stress\r\n", method, target)
	if authorization != "" {
		fmt.Fprintf(&b, "Authorization: %s\r\n", authorization)
	}
	if m.chance(4) {
		fmt.Fprintf(&b, "Accept: %s\r\n", pick(m, accepts))
	}
	if m.chance(6) {
		fmt.Fprintf(&b, "If-None-Match: %s\r\n", pick(m, tags))
		r.Want = append(r.Want, maybeNotModified(want)...)
	}
	if m.chance(10) {
		fmt.Fprintf(&b, "%s: %s\r\n", pick(m, []string{"X-Forwarded-For", "User-Agent", "X-Request-Id", "Cookie", "Range", "Accept-Encoding", "X-HTTP-Method-Override"}), headerText(m.junk()))
	}
	b.WriteString("\r\n")
	r.Wire = b.Bytes()
	return r
}

func maybeNotModified(want []int) []int {
	for _, status := range want {
		if status == 200 {
			return []int{304}
		}
	}
	return nil
}

// bearer is a key of a team that works.
func (m *Maker) bearer(team *world.Team) string {
	if old := m.Keys.Overlapping[team]; old != "" && m.chance(4) {
		return "Bearer " + old
	}
	return "Bearer " + m.Keys.Valid[team]
}

// chance is true once in n times.
func (m *Maker) chance(n int) bool { return m.random.IntN(n) == 0 }

func pick[T any](m *Maker, from []T) T { return from[m.random.IntN(len(from))] }

var accepts = []string{
	"*/*", "application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.parquet", "text/csv;q=0.5, application/x-ndjson;q=0.9",
	"text/html", "application/json;q=0", "*/*;q=2", ";;;", `text/csv;header="present"`, `text/csv;charset="`, strings.Repeat("a/b,", 500), "\xff\xfe",
}

var tags = []string{"*", `"abc"`, `W/"abc"`, `"`, `,,,`, `"` + strings.Repeat("x", 3000) + `"`, `"AAAAAAAAAAAAAAAAAAAAAA", *`, "\xff"}

// headerText makes a text fit for a header.
func headerText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}
