package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sightline-hq/sightline/internal/mcp"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"

func newServer(t *testing.T) *sdk.Server {
	return mcp.New(mcp.Options{Client: dial(t, demoBase, agencyKey), BaseURL: demoBase, Version: "test", Log: slog.New(slog.DiscardHandler), Now: time.Now})
}

func within(t *testing.T, ended <-chan error) {
	t.Helper()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("did not end")
	}
}

func TestServeEndsWithItsInput(t *testing.T) {
	in, write := io.Pipe()
	out, ended := new(bytes.Buffer), make(chan error, 1)
	go func() { ended <- mcp.Serve(t.Context(), newServer(t), in, out) }()
	io.WriteString(write, hello)
	write.Close()
	within(t, ended)
}

func TestServeEndsWithItsContext(t *testing.T) {
	in, write := io.Pipe()
	defer write.Close() // until then it stays open
	read, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(ctx, newServer(t), in, out) }()
	io.WriteString(write, hello)
	line, err := bufio.NewReader(read).ReadBytes('\n')
	var answer struct {
		Result struct {
			ServerInfo   struct{ Name, Version string }
			Capabilities map[string]any
		}
	}
	if err != nil || json.Unmarshal(line, &answer) != nil || answer.Result.ServerInfo.Name != "sightline" || len(answer.Result.Capabilities) != 3 {
		t.Errorf("%s, %v", line, err)
	}
	cancel()
	within(t, ended)
}

// A call that its client cancels does not hold up the next.
func TestACallCanBeCancelled(t *testing.T) {
	arrived, release := make(chan bool, 9), make(chan bool)
	s := connect(t, waiting(t, arrived, release), agencyKey)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	if _, err := s.CallTool(ctx, call("list_products")); err == nil {
		t.Error("no error")
	}
	close(release)
	var got any
	s.answer("list_products", nil, &got)
}
