package lint

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// compose loads a file as 'docker compose config' does.
func compose(text []byte, variables map[string]string) (*types.Project, error) {
	dir, err := filepath.Abs("..")
	if err != nil {
		return nil, err
	}
	return loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir: dir, Environment: variables,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "compose.yaml"), Content: text}},
	}, loader.WithProfiles([]string{"*"}))
}

// variables are those of compose.env.example, with values.
func variables(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../compose.env.example")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			if value != "" {
				t.Errorf("%s has a value in the example", name)
			}
			all[name] = "pass-" + name
		}
	}
	return all
}

func TestComposeLoadsTheFile(t *testing.T) {
	text, err := os.ReadFile("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	project, err := compose(text, variables(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Services) != 5 {
		t.Errorf("%d services", len(project.Services))
	}
	for name, s := range project.Services {
		ours := s.Build != nil
		if ours != (name == "serve" || name == "migrate" || name == "sightline") {
			t.Errorf("%s: built here: %v", name, ours)
		}
		if ours && (!s.ReadOnly || len(s.CapDrop) != 1 || s.CapDrop[0] != "ALL" || len(s.SecurityOpt) != 1) {
			t.Errorf("%s may do more than it needs", name)
		}
		for _, p := range s.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("%s listens beyond this machine: %+v", name, p)
			}
		}
		for _, v := range s.Volumes {
			if v.Type == "bind" && v.Target != "/input" {
				if _, err := os.Stat(v.Source); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	serve := project.Services["serve"]
	if p := serve.Environment["PGPASSWORD"]; p == nil || *p != "pass-SIGHTLINE_SERVE_PASSWORD" {
		t.Error("serve does not sign in with its own password")
	}
	if serve.DependsOn["migrate"].Condition != types.ServiceConditionCompletedSuccessfully {
		t.Error("serve does not wait for the tables")
	}
}

func TestPasswordsMustBeChosen(t *testing.T) {
	text, err := os.ReadFile("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for missing := range variables(t) {
		some := variables(t)
		delete(some, missing)
		if _, err := compose(text, some); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: %v", missing, err)
		}
	}
	wrong := strings.Replace(string(text), "read_only: true", "readonly: true", 1)
	if _, err := compose([]byte(wrong), variables(t)); err == nil {
		t.Error("a word that Compose does not know was not found")
	}
}
