package lint

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// dockerfile parses a Dockerfile into its stages, and lists what the linter says.
func dockerfile(text []byte) (stages []instructions.Stage, warnings []string, err error) {
	parsed, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	for _, w := range parsed.Warnings {
		warnings = append(warnings, w.Short)
	}
	rules := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		warnings = append(warnings, rule+": "+message)
	}})
	stages, _, err = instructions.Parse(parsed.AST, rules)
	return stages, warnings, err
}

func TestBuildKitFindsNothingWrongWithTheDockerfile(t *testing.T) {
	text, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	stages, warnings, err := dockerfile(text)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v %q", err, warnings)
	}
	if len(stages) != 2 || stages[0].Name != "build" {
		t.Fatalf("%d stages", len(stages))
	}
	var user, entry string
	for _, command := range stages[1].Commands {
		switch c := command.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.EntrypointCommand:
			entry = strings.Join(c.CmdLine, " ")
		case *instructions.CopyCommand:
			if c.From != "build" || !slices.Equal(c.SourcePaths, []string{"/out/sightline"}) || c.DestPath != "/usr/local/bin/sightline" {
				t.Errorf("%+v", c)
			}
		}
	}
	if user != "10001:10001" || entry != "/usr/local/bin/sightline" {
		t.Errorf("user %q, entry point %q", user, entry)
	}
}

func TestAWrongDockerfileIsFound(t *testing.T) {
	for name, text := range map[string]string{
		"an unknown instruction": "FROM debian\nRUNN true\n",
		"a flag that is none":    "FROM debian\nCOPY --form=build /a /b\n",
		"what is no longer used": "FROM debian\nMAINTAINER acme\n",
	} {
		if _, warnings, err := dockerfile([]byte(text)); err == nil && len(warnings) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
	}
}
