package mcp_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/mcp"
)

// session is a real client of the protocol, connected to a server of ours.
type session struct {
	*testing.T
	*sdk.ClientSession
	key     string
	outputs map[string]*jsonschema.Resolved // of tools, by name
}

// connect connects a client of the protocol with a server for a base URL and key.
func connect(t *testing.T, base, key string) *session {
	t.Helper()
	s := mcp.New(mcp.Options{
		Client: dial(t, base, key), BaseURL: base, Version: "test", Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return today },
	})
	ours, theirs := sdk.NewInMemoryTransports()
	server, err := s.Connect(t.Context(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		server.Wait()
	})
	return &session{T: t, ClientSession: c, key: key, outputs: make(map[string]*jsonschema.Resolved)}
}

func dial(t *testing.T, base, key string) *client.Client {
	t.Helper()
	c, err := client.New(base, key, client.WithMaxAttempts(1))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// args are the arguments of a call, as a model would write them.
type args map[string]any

// result is an answer: text and structure, or an error's text.
type result struct {
	text   string
	raw    json.RawMessage
	failed bool
}

// call calls a tool. It holds every good answer to the tool's output schema,
// and none may have the key in it.
func (s *session) call(tool string, a any) result {
	s.Helper()
	got, err := s.CallTool(s.Context(), &sdk.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		s.Fatalf("%s %v: %v", tool, a, err)
	}
	if len(got.Content) != 1 {
		s.Fatalf("%s %v: %d contents", tool, a, len(got.Content))
	}
	r := result{text: got.Content[0].(*sdk.TextContent).Text, failed: got.IsError}
	if !got.IsError {
		if err := s.output(tool).Validate(got.StructuredContent); err != nil {
			s.Errorf("%s %v: not of its output schema: %v", tool, a, err)
		}
		if r.raw, err = json.Marshal(got.StructuredContent); err != nil {
			s.Fatal(err)
		}
	}
	if strings.Contains(r.text+string(r.raw), s.key) {
		s.Errorf("%s %v: the key is in the answer", tool, a)
	}
	return r
}

// answer is call for what must succeed, into a value.
func (s *session) answer(tool string, a any, into any) result {
	s.Helper()
	r := s.call(tool, a)
	if r.failed {
		s.Fatalf("%s %v failed: %s", tool, a, r.text)
	}
	if err := json.Unmarshal(r.raw, into); err != nil {
		s.Fatalf("%s %v: %v", tool, a, err)
	}
	return r
}

// error is call for what must fail.
func (s *session) error(tool string, a any) string {
	s.Helper()
	r := s.call(tool, a)
	if !r.failed {
		s.Fatalf("%s %v succeeded: %s", tool, a, r.text)
	}
	return r.text
}

func (s *session) tools() []*sdk.Tool {
	s.Helper()
	list, err := s.ListTools(s.Context(), nil)
	if err != nil {
		s.Fatal(err)
	}
	return list.Tools
}

func (s *session) output(tool string) *jsonschema.Resolved {
	s.Helper()
	if len(s.outputs) == 0 {
		for _, t := range s.tools() {
			resolved, err := schema(s.T, t.OutputSchema).Resolve(nil)
			if err != nil {
				s.Fatal(err)
			}
			s.outputs[t.Name] = resolved
		}
	}
	return s.outputs[tool]
}

// schema reads a schema as it came over the wire.
func schema(t *testing.T, wire any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(wire)
	if err != nil {
		t.Fatal(err)
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		t.Fatal(err)
	}
	return s
}
