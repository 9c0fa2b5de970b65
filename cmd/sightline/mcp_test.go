package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpRecord keeps what a process of 'sightline mcp' wrote, byte for byte.
type mcpRecord struct{ stdout, stderr string }

// startMCP starts the program as an assistant would, with a recorder behind it.
func (p *program) startMCP() (*sdk.ClientSession, mcpRecord) {
	p.t.Helper()
	dir := p.t.TempDir()
	r := mcpRecord{filepath.Join(dir, "stdout"), filepath.Join(dir, "stderr")}
	cmd := exec.Command("sh", "-c", `sightline mcp 2>"$STDERR" | tee "$STDOUT"`)
	cmd.Env = append(os.Environ(), "SIGHTLINE_BASE_URL="+p.base, "SIGHTLINE_API_KEY="+p.key, "STDOUT="+r.stdout, "STDERR="+r.stderr)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(p.t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return session, r
}

// mcpData is one answer that mentions and cites the product, and one bot's visit, yesterday: today is not part of the usual period.
func (p *program) mcpData() {
	p.t.Helper()
	at := time.Now().UTC().AddDate(0, 0, -1).Format(time.RFC3339)
	p.run("load", "answers", write(p.t, "answers.ndjson", 1, func(int) string {
		return `{"id":"a","promptId":11,"platform":"openai","at":"` + at + `","mentions":[{"productId":101,"position":1}],"citations":["https://acme.com/a"]}`
	}))
	p.run("load", "pageviews", write(p.t, "pageviews.ndjson", 1, func(int) string {
		return `{"at":"` + at + `","websiteId":"w-acme","url":"https://acme.com/a","userAgent":"Mozilla/5.0 (compatible; GPTBot/1.2)"}`
	}))
}

// An assistant starts 'sightline mcp', calls every tool, and closes its input.
func TestAnAssistantCallsEveryTool(t *testing.T) {
	p := newProgram(t, t.TempDir())
	p.mcpData()
	p.serve()
	session, record := p.startMCP()
	want := map[string]string{
		"list_products":          "| 101 | Acme Rocket |",
		"list_websites":          "| acme.com | w-acme |",
		"get_prompts":            "| best rocket | openai | 1 | 1 | 1 | 1 | - |",
		"get_visibility_summary": "visibility: 1\nposition: 1\nrank: 1\ntotalCompetitors: 0\n",
		"get_visibility_trend":   "| openai | 1 | 1 | 1 |",
		"get_citations":          "| https://acme.com/a | Acme Rocket | 1 | true |",
		"get_agent_traffic":      "| timestamp | botVisits |",
	}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Content[0].(*sdk.TextContent).Text
		if got.IsError || got.StructuredContent == nil || want[tool.Name] == "" || !strings.Contains(text, want[tool.Name]) {
			t.Errorf("%s: no %q in\n%s", tool.Name, want[tool.Name], text)
		}
		delete(want, tool.Name)
	}
	if len(want) > 0 {
		t.Errorf("tools that are not there: %v", want)
	}
	p.mcpFailures(session)
	if err := session.Close(); err != nil {
		t.Errorf("the session ended with %v", err)
	}
	record.check(t, p.key)
}

// mcpFailures makes calls fail: with bad arguments, then without a server.
func (p *program) mcpFailures(session *sdk.ClientSession) {
	t := p.t
	t.Helper()
	p.stop()
	for arguments, want := range map[string]string{
		`{"metrics":["clicks"]}`: `metrics: "clicks" is not one of bot_visits,`,
		`{"productId":101}`:      "No answer from the Sightline server (" + p.base + ")",
	} {
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_agent_traffic", Arguments: json.RawMessage(arguments)})
		if err != nil {
			t.Fatal(err)
		}
		if text := got.Content[0].(*sdk.TextContent).Text; !got.IsError || !strings.Contains(text, want) {
			t.Errorf("%s: %s", arguments, text)
		}
	}
}

// check fails unless standard output is messages and nothing else, and the key
// is nowhere.
func (r mcpRecord) check(t *testing.T, key string) {
	t.Helper()
	stdout, err := os.ReadFile(r.stdout)
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := os.ReadFile(r.stderr)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(stdout, []byte("\n")), []byte("\n"))
	for _, line := range lines {
		var message struct {
			Version string `json:"jsonrpc"`
		}
		if err := json.Unmarshal(line, &message); err != nil || message.Version != "2.0" {
			t.Errorf("on standard output: %.200s", line)
		}
	}
	if len(lines) < 11 { // hello, the list, nine calls
		t.Errorf("only %d messages were recorded", len(lines))
	}
	if !bytes.Contains(stderr, []byte("Sightline speaks MCP")) || !bytes.Contains(stderr, []byte("a call failed")) {
		t.Errorf("standard error: %s", stderr)
	}
	if key == "" || bytes.Contains(stdout, []byte(key)) || bytes.Contains(stderr, []byte(key)) {
		t.Error("the key was printed")
	}
}

func TestMCPStopsWhenItIsToldTo(t *testing.T) {
	cmd := exec.Command("sightline", "mcp")
	cmd.Env = append(os.Environ(), "SIGHTLINE_API_KEY=sl_example")
	if _, err := cmd.StdinPipe(); err != nil { // stays open
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer kill.Stop()
	if _, err := stderr.Read(make([]byte, 100)); err != nil {
		t.Error(err)
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}
