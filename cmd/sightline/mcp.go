package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/mcp"
)

const (
	// Assistants give up on a call after a minute; an error that comes before
	// that says more.
	mcpCallTime = 50 * time.Second
	mcpAttempts = 3
	// mcpMaxBody is far more than any answer that a model could use a page of.
	mcpMaxBody = 64 << 20
	// mcpCache saves the server the same report for each of its pages.
	mcpCache = 16 << 20
)

func (a *app) mcp() *cobra.Command {
	var base, keyFile string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the API to an AI assistant, as MCP tools over standard input and output",
		Long: `Offers the seven reads of a Sightline server as tools of the Model Context Protocol (MCP),
over standard input and output. An assistant starts this command itself: name it in the
assistant's configuration, with SIGHTLINE_BASE_URL and SIGHTLINE_API_KEY in its environment.

The tools only read, and see what the key sees. The key is never shown to the assistant.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if keyFile == "-" {
				return wrong(c, "cannot read the key from standard input, which is the assistant's")
			}
			key, err := a.apiKey(keyFile)
			if err != nil {
				return err
			}
			return a.runMCP(c.Context(), base, key)
		},
	}
	c.Flags().StringVar(&base, "base-url", "http://127.0.0.1:8080", "address of the Sightline server, a `URL`")
	c.Flags().StringVar(&keyFile, "api-key-file", "", "`FILE` with the API key (default: the variable SIGHTLINE_API_KEY)")
	return c
}

func (a *app) runMCP(ctx context.Context, base, key string) error {
	c, err := client.New(base, key, client.WithMaxAttempts(mcpAttempts), client.WithTotalTime(mcpCallTime),
		client.WithMaxBody(mcpMaxBody), client.WithCache(mcpCache), client.WithUserAgent("sightline-mcp"))
	if err != nil {
		return clientError(err)
	}
	log := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	fmt.Fprintf(a.stderr, "Sightline speaks MCP on standard input and output, for %s. It is meant to be started by an assistant. Stop it with Ctrl-C.\n", base)
	server := mcp.New(mcp.Options{Client: c, BaseURL: base, Version: version, Log: log, Now: time.Now})
	return mcp.Serve(ctx, server, a.stdin, a.stdout)
}
