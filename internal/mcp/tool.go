package mcp

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is one read: what it takes, and what it answers.
type tool[In any, Out answer] struct {
	name, title, about string
	takes              []argument
	read               func(context.Context, In) (Out, error)
}

// answer is structured content that can also be read as text.
type answer interface{ text() string }

// add offers a tool. The SDK's own AddTool would check arguments too, but says
// what is wrong in terms of the schema, and sends numbers through floats.
func add[In any, Out answer](s *sdk.Server, t tool[In, Out]) {
	takes := object(t.takes)
	gives, err := jsonschema.For[Out](nil)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", t.name, err)) // a mistake in the program
	}
	exact(gives)
	no := false
	s.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: takes, OutputSchema: gives,
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no,
		},
	}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		if err := decode(r.Params.Arguments, takes, &in); err != nil {
			return failed(err), nil
		}
		out, err := t.read(ctx, in)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err() // nobody waits for it
		case err != nil:
			return failed(err), nil
		}
		return &sdk.CallToolResult{Content: say(out.text()), StructuredContent: out}, nil
	})
}

// failed is an answer that a model sees, and can act on.
func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: say(err.Error()), IsError: true}
}

func say(text string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: text}} }
