package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// definition says what a name of the API means.
type definition struct {
	kind, name string
	short      string // one sentence, which tools repeat
	more       string
}

const definitionsURI = "sightline://definitions"

// addDefinitions offers all definitions as one resource, and each as its own.
func addDefinitions(s *sdk.Server) {
	var whole strings.Builder
	whole.WriteString("# What the figures of Sightline mean\n")
	for _, d := range definitions {
		fmt.Fprintf(&whole, "\n%s", d.text("##"))
	}
	addResource(s, definitionsURI, "definitions", "All definitions of figures, metrics and dimensions", whole.String())
	for _, d := range definitions {
		addResource(s, definitionsURI+"/"+d.name, d.name, d.kind+": "+d.short, d.text("#"))
	}
}

func (d definition) text(heading string) string {
	text := fmt.Sprintf("%s %s (%s)\n\n%s", heading, d.name, d.kind, d.short)
	if d.more != "" {
		text += " " + d.more
	}
	return text + "\n"
}

func addResource(s *sdk.Server, uri, name, about, text string) {
	const kind = "text/markdown"
	s.AddResource(&sdk.Resource{URI: uri, Name: name, Description: about, MIMEType: kind, Size: int64(len(text))},
		func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: kind, Text: text}}}, nil
		})
}

// explained defines each name of a closed list, for the schema of an argument.
func explained[T ~string](names []T) string {
	var b strings.Builder
	for _, name := range names {
		for _, d := range definitions {
			if d.name == string(name) {
				fmt.Fprintf(&b, "%s: %s ", name, d.short)
			}
		}
	}
	return strings.TrimSpace(b.String())
}
