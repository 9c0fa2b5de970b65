package e2e

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// User agents. Servers write quotes, backslashes and bytes beyond ASCII each in
// a way of its own; a name that looks like the end of a line must not end it.
const (
	chrome  = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36"
	safari  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1"
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	oddFox  = "Mozilla/5.0 (X11; \"B\xfcro\" \\ Büro\t\\x22; rv:140.0) Gecko/20100101 Firefox/140.0"

	gptBot    = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	oddGPTBot = `GPTBot/1.2 "-" [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200 1 "-" "\"`
	chatGPT   = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot"
	claudeBot = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"
	perplexed = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)"
)

// pages are the files of the website.
var pages = []string{"index.html", "pricing/index.html", "blog/index.html", "blog/first.html", "llms.txt", "robots.txt",
	"style.css", "logo.png", "caf\xe9.html", "café.html", `a "quoted" page.html`, `back\slash.html`}

// sent is a request, and what any server answers.
type sent struct {
	from      string // "" is 127.0.0.1
	method    string
	target    string
	userAgent string // "" is none
	referrer  string
	status    int    // 0: servers differ, and it does not matter
	host      string // "" is acme.com
	since     bool   // asks whether the page has changed
}

// requests are what bots, people and scanners send. Comments say what counts.
var requests = []sent{
	{method: "GET", target: "/llms.txt", userAgent: gptBot, status: 200},                                                           // bot: gptbot 1
	{method: "GET", target: "/", userAgent: gptBot, status: 200, host: "www.acme.com"},                                             // bot: gptbot 2
	{method: "HEAD", target: "/pricing/", userAgent: gptBot, status: 200},                                                          // bot: gptbot 3
	{method: "GET", target: "/pricing/?q=%22%5C", userAgent: oddGPTBot, status: 200},                                               // bot: gptbot 4
	{method: "GET", target: "/missing.html", userAgent: gptBot, status: 404},                                                       // status
	{method: "GET", target: "/style.css", userAgent: gptBot, status: 200},                                                          // asset
	{method: "GET", target: "/", userAgent: gptBot, status: 200, host: "other.example"},                                            // another website
	{method: "GET", target: "/blog/first.html", userAgent: claudeBot, status: 200},                                                 // bot: claudebot 1
	{method: "GET", target: "/blog/first.html", userAgent: claudeBot, status: 304, since: true},                                    // bot: claudebot 2
	{method: "GET", target: "/blog", userAgent: claudeBot},                                                                         // 301 or 308
	{method: "GET", target: "/caf\xe9.html", userAgent: chatGPT, status: 200},                                                      // bot: chatgpt-user 1
	{method: "GET", target: "/café.html", userAgent: chatGPT, status: 200},                                                         // bot: chatgpt-user 2
	{method: "GET", target: "/caf%C3%A9.html", userAgent: chatGPT, status: 200},                                                    // bot: chatgpt-user 3
	{method: "GET", target: `/a%20"quoted"%20page.html`, userAgent: chatGPT, status: 200},                                          // bot: chatgpt-user 4
	{method: "GET", target: `/back\slash.html`, userAgent: chatGPT, status: 200},                                                   // bot: chatgpt-user 5
	{method: "GET", target: "http://acme.com/pricing/", userAgent: perplexed, status: 200},                                         // bot: perplexitybot 1
	{method: "POST", target: "/pricing/", userAgent: perplexed},                                                                    // method
	{method: "GET", target: "/robots.txt", status: 200},                                                                            // bot: other 1
	{method: "GET", target: "/", userAgent: chrome, status: 200},                                                                   // human 1
	{method: "GET", target: "/pricing/?utm_source=chatgpt.com", userAgent: chrome, status: 200},                                    // human 2, by AI 1
	{method: "GET", target: "/blog/first.html", userAgent: chrome, referrer: "https://chatgpt.com/", status: 200},                  // human 3, by AI 2
	{method: "GET", target: "/style.css", userAgent: chrome, referrer: "https://acme.com/", status: 200},                           // asset
	{method: "GET", target: "/logo.png", userAgent: chrome, referrer: "https://acme.com/", status: 200},                            // asset
	{method: "GET", target: "/robots.txt", userAgent: chrome, status: 200},                                                         // asset, to a human
	{method: "GET", target: "/missing.html", userAgent: chrome, status: 404},                                                       // status
	{method: "HEAD", target: "/", userAgent: chrome, status: 200},                                                                  // method
	{from: "127.0.0.2", method: "GET", target: "/", userAgent: safari, referrer: "https://www.google.com/", status: 200},           // human 4
	{from: "127.0.0.2", method: "GET", target: "/pricing/", userAgent: safari, referrer: "http://acme.com/", status: 200},          // human 5
	{from: "::1", method: "GET", target: "/", userAgent: firefox, referrer: `https://www.perplexity.ai/search?q="\ü`, status: 200}, // human 6, by AI 3
	{method: "GET", target: "/pricing/", userAgent: oddFox, status: 200},                                                           // human 7
}

// noise is what else comes to an open port.
var noise = []string{
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", // TLS
	"OPTIONS * HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
	"CONNECT acme.com:443 HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
	"GET /\x01 HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
	"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", // no host
	"GET /\r\n\r\n",
}

// send sends a request on a connection of its own, byte for byte.
func (r *sent) send(t *testing.T, w *webServer) {
	t.Helper()
	host := fmt.Sprintf("%s:%d", cmp.Or(r.host, "acme.com"), w.port)
	target := strings.Replace(r.target, "http://acme.com", "http://"+host, 1)
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", r.method, target, host)
	for _, header := range []struct{ name, value string }{{"User-Agent", r.userAgent}, {"Referer", r.referrer}} {
		if header.value != "" {
			text += header.name + ": " + header.value + "\r\n"
		}
	}
	if r.since {
		text += "If-Modified-Since: " + published.Format(http.TimeFormat) + "\r\n"
	}
	if r.method == "POST" {
		text += "Content-Length: 0\r\n"
	}
	answer := exchange(t, w, r.from, text+"\r\n")
	var status int
	if _, err := fmt.Sscanf(answer, "HTTP/1.1 %d ", &status); err != nil || r.status != 0 && status != r.status {
		t.Errorf("%s %q is answered by %q, not by %d", r.method, r.target, answer, r.status)
	}
}

// exchange sends bytes from an address, waits until the server has closed the
// connection, and returns the first line of the answer.
func exchange(t *testing.T, w *webServer, from, text string) string {
	t.Helper()
	if from == "" || from == "::1" && !w.ipv6 {
		from = "127.0.0.1"
	}
	to := net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: w.port}
	if from == "::1" {
		to.IP = net.IPv6loopback
	}
	conn, err := net.DialTCP("tcp", &net.TCPAddr{IP: net.ParseIP(from)}, &to)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	line, _ := in.ReadString('\n')
	io.Copy(io.Discard, in)
	return strings.TrimSpace(line)
}

// published is when the website's files were changed.
var published = time.Date(2026, time.March, 2, 9, 15, 0, 0, time.UTC)

// publish makes the website's files.
func publish(t *testing.T, root string) {
	t.Helper()
	for _, page := range pages {
		path := filepath.Join(root, page)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("hello\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, published, published); err != nil {
			t.Fatal(err)
		}
	}
}
