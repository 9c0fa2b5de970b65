package fuzz

import (
	"fmt"
	"strings"
)

// outOfReach asks for a product that is another team's, a rival, or none.
func (m *Maker) outOfReach() Request {
	team, own := m.caller()
	id := "0"
	switch m.random.IntN(5) {
	case 0, 1:
		if all := m.World.Foreign(team); len(all) > 0 {
			id = fmt.Sprint(pick(m, all).ID)
		}
	case 2:
		id = fmt.Sprint(pick(m, own.Rivals))
	case 3:
		id = fmt.Sprintf(pick(m, []string{"0%d", "+%d", "-%d", "%d.0", "%d%%20", "%d%%00", "%%31%d", "%x"}), own.ID)
	case 4:
		id = pick(m, []string{"9223372036854775807", "9223372036854775808", "1", "-1", "x", "%F0%9F%94%A5", "%ff", "%27", "1%2f2"})
	}
	r := pick(m, reports)
	return m.request(team, m.bearer(team), fmt.Sprintf("/v1/products/%s/%s?%s", id, r.path, encode(r.make(m, own))), 401)
}

// badKey asks rightly, with a key that is none.
func (m *Maker) badKey() Request {
	team, product := m.caller()
	r := pick(m, reports)
	path := target(product.ID, r.path, r.make(m, product))
	if m.chance(5) {
		path = "/v1/products"
	}
	return m.request(nil, m.authorization(m.Keys.Valid[team]), path, 401)
}

// authorization is one that no one has.
func (m *Maker) authorization(valid string) string {
	switch m.random.IntN(8) {
	case 0:
		return ""
	case 1:
		return "Bearer " + pick(m, m.Keys.Dead)
	case 2: // one character is another
		i := 3 + m.random.IntN(len(valid)-3)
		other := byte('a' + m.random.IntN(26))
		if valid[i] == other {
			other = '0'
		}
		return "Bearer " + valid[:i] + string(other) + valid[i+1:]
	case 3:
		return "Bearer " + valid[:m.random.IntN(len(valid))]
	case 4:
		return "Bearer " + valid + headerText(pick(m, []string{"x", ",", " x", "%00", "\u00e9", valid}))
	case 5:
		return pick(m, []string{"Basic ", "Bearer\t", "Token ", "", "Bearer,", "Bearer: "}) + valid
	case 6: // of the right shape
		text := []byte(valid)
		m.random.Shuffle(len(text)-3, func(i, j int) { text[3+i], text[3+j] = text[3+j], text[3+i] })
		if string(text) == valid {
			text[4]++
		}
		return "Bearer " + string(text)
	}
	return "Bearer " + valid + "\r\nAuthorization: Bearer " + valid
}

// oddPath asks for what is not there, or writes it uncleanly (S24).
func (m *Maker) oddPath() Request {
	team, product := m.caller()
	path := pick(m, []string{
		"/", "/v1", "/v1/", "//v1/products", "/v1//products", "/v1/products/", "/v1/products/../products", "/v1/./products", "/v2/products", "/V1/products",
		"/v1/products/%d", "/v1/products/%d/", "/v1/products/%d/websites/", "/v1/products/%d/prompts/summary/", "/v1/products/%d/prompts/other", "/metrics", "/livez",
		"/readyz", "/debug/pprof/", "/.git/config", "/v1/products/%d/analytics", "/v1/products//prompts", "/favicon.ico", "/docs/", "/openapi.json",
		"/v1/products/%d/..%%2fwebsites", "/v1/products;a=b", "/v1%%2fproducts", "/v1/products/%d/citations/" + strings.Repeat("a", 2000),
	})
	if strings.Contains(path, "%d") {
		path = fmt.Sprintf(path, product.ID)
	} else {
		path = strings.ReplaceAll(path, "%%", "%")
	}
	return m.request(team, m.bearer(team), path, 404)
}

// oddMethod asks for something that is there in a way that is not.
func (m *Maker) oddMethod() Request {
	team, product := m.caller()
	method := pick(m, []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "BREW"})
	body := pick(m, []string{"", "{}", strings.Repeat("x", 300)})
	wire := fmt.Sprintf("%s /v1/products/%d/websites HTTP/1.1\r\nHost: stress\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n%s", method, product.ID, m.bearer(team), len(body), body)
	return Request{Wire: []byte(wire), Want: []int{405}, Team: team, Last: true}
}

func (m *Maker) document() Request {
	return m.request(nil, "", pick(m, []string{"/openapi.yaml", "/docs"}), 200)
}

// oddProtocol is HTTP that is old, broken or strange. What cannot be understood
// is refused, by 501 and 505 where RFC 9110 says so.
func (m *Maker) oddProtocol() Request {
	team, product := m.caller()
	start := fmt.Sprintf("GET /v1/products/%d/websites HTTP/", product.ID)
	rest := "\r\nHost: stress\r\nAuthorization: " + m.bearer(team) + "\r\n"
	refused := []int{400, 431, 501, 505}
	c := pick(m, []struct {
		wire string
		want []int
	}{
		{start + "1.0" + rest + "\r\n", []int{200}},
		{start + "1.1" + rest + "Connection: close\r\n\r\n", []int{200}},
		{start + "1.1" + rest + "Content-Length: 3\r\n\r\nabc", []int{200, 400, 413}},
		{start + "1.1" + rest + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", []int{200, 400, 413}},
		{start + "1.1" + rest + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n", []int{200, 400}},
		{strings.Replace(start, "/v1", "http://other.example/v1", 1) + "1.1" + rest + "\r\n", []int{200, 400, 404}},
		{"OPTIONS * HTTP/1.1" + rest + "\r\n", []int{400, 404, 405}},
		{start + "1.1\r\n\r\n", refused},
		{start + "2.0" + rest + "\r\n", refused},
		{start + "9.9" + rest + "\r\n", refused},
		{start + "1.1" + rest + "Transfer-Encoding: gzip\r\n\r\n", refused},
		{start + "1.1" + rest + "Content-Length: -1\r\n\r\n", refused},
		{start + "1.1" + rest + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", refused},
		{start + "1.1" + rest + "Host: second\r\n\r\n", refused},
		{start + "1.1" + rest + "No colon\r\n\r\n", refused},
		{start + "1.1" + rest + "X-\x00: a\r\n\r\n", refused},
		{start + "1.1" + rest + "X-Large: " + strings.Repeat("a", 100<<10) + "\r\n\r\n", refused},
		{"GET /v1/products?" + strings.Repeat("a=b&", 20<<10) + " HTTP/1.1" + rest + "\r\n", append(refused, 414)},
		{"GET /v1/pro ducts HTTP/1.1" + rest + "\r\n", refused},
		{"GET /v1/products%zz HTTP/1.1" + rest + "\r\n", refused},
		{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", refused},
		{"\x00\x00\x00\r\n\r\n", refused},
	})
	return Request{Wire: []byte(c.wire), Want: c.want, Team: team, Last: true, Long: len(c.wire) > 16<<10}
}
