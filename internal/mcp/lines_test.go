package mcp_test

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/mcp"
)

// A line that is no message is answered as JSON-RPC says, and the session goes on.
func TestALineThatIsNoMessageIsAnswered(t *testing.T) {
	in, write := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(t.Context(), newServer(t), in, out) }()
	answers := bufio.NewReader(read)
	ask := func(line string) (id any, code int) {
		t.Helper()
		if _, err := io.WriteString(write, line+"\n"); err != nil {
			t.Fatal(err)
		}
		text, err := answers.ReadBytes('\n')
		var a struct {
			JSONRPC string
			ID      any
			Error   struct{ Code int }
		}
		if err != nil || json.Unmarshal(text, &a) != nil || a.JSONRPC != "2.0" {
			t.Fatalf("%.80s is answered with %s, %v", line, text, err)
		}
		return a.ID, a.Error.Code
	}
	if id, code := ask(strings.TrimSpace(hello)); id != 1.0 || code != 0 {
		t.Fatalf("the greeting: %v, %d", id, code)
	}
	for _, c := range []struct {
		name, line string
		id         any
		code       int
	}{
		{"no JSON", `{"jsonrpc":`, nil, -32700},
		{"two messages", `{} {}`, nil, -32700},
		{"words", `hello`, nil, -32700},
		{"a number", `7`, nil, -32600},
		{"an empty object", `{}`, nil, -32600},
		{"no method", `{"jsonrpc":"2.0","id":7}`, 7.0, -32600},
		{"an empty method", `{"jsonrpc":"2.0","id":"x","method":""}`, "x", -32600},
		{"a method that is no text", `{"jsonrpc":"2.0","id":8,"method":5}`, 8.0, -32600},
		{"another version", `{"jsonrpc":"1.0","id":9,"method":"ping"}`, 9.0, -32600},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, -32600},
		{"a batch", `[{"jsonrpc":"2.0","id":10,"method":"ping"}]`, nil, -32600},
		{"no end", `{"jsonrpc":"2.0","id":11,"method":"` + strings.Repeat("x", 2<<20) + `"}`, nil, -32600},
		{"an unknown method", `{"jsonrpc":"2.0","id":12,"method":"moon"}`, 12.0, -32601},
		{"blank lines before a message", "\n \r\n" + `{"jsonrpc":"2.0","id":13,"method":"ping"}`, 13.0, 0},
	} {
		if id, code := ask(c.line); id != c.id || code != c.code {
			t.Errorf("%s: id %v, code %d, want %v, %d", c.name, id, code, c.id, c.code)
		}
	}
	write.Close()
	within(t, ended)
}
