package demo

import (
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workspaceFile is the whole of the format, so that an unknown field fails.
type workspaceFile struct {
	Teams []struct {
		ID, Name string
		Manages  []string
	}
	Products []struct {
		ID                          int64
		Team, Name, Website, Domain string
		Names                       []string
		Competitors                 []int64
		Websites                    []struct {
			ID      string `yaml:"websiteId"`
			Domain  string
			Partner bool
			Tracked *bool
		}
		Labels []struct {
			ID   int64
			Name string
		}
		Prompts []struct {
			ID           int64
			Text, Domain string
			Platforms    []string
			Labels       []int64
		}
	}
}

func decodeWorkspace(t *testing.T) (f workspaceFile) {
	t.Helper()
	if err := yaml.UnmarshalWithOptions(Workspace(), &f, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWorkspaceHasWhatTheDemoPromises(t *testing.T) {
	f := decodeWorkspace(t)
	var primary, competitors, prompts, partners, untracked int
	for _, p := range f.Products {
		prompts += len(p.Prompts)
		if p.Team == "" {
			competitors++
		} else {
			primary++
		}
		for _, w := range p.Websites {
			if w.Partner {
				partners++
			}
			if w.Tracked != nil && !*w.Tracked {
				untracked++
			}
		}
	}
	got := []int{len(f.Teams), primary, competitors, partners, untracked}
	if want := []int{3, 3, 8, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("teams, products, competitors, partner and untracked websites: %v, want %v", got, want)
	}
	if prompts < 38 || prompts > 42 {
		t.Errorf("%d prompts, want about 40", prompts)
	}
	agency := f.Teams[2]
	if !slices.Equal(agency.Manages, []string{f.Teams[0].ID, f.Teams[1].ID}) {
		t.Errorf("the agency manages %v", agency.Manages)
	}
}

func TestWorkspaceIsConsistent(t *testing.T) {
	f := decodeWorkspace(t)
	ids := make(map[any]bool)
	unique := func(kind string, id any) {
		if ids[[2]any{kind, id}] {
			t.Errorf("%s %v is there twice", kind, id)
		}
		ids[[2]any{kind, id}] = true
	}
	for _, p := range f.Products {
		unique("product", p.ID)
		unique("domain", p.Domain)
		if !strings.HasSuffix(p.Domain, ".example") || !strings.HasSuffix(p.Website, p.Domain) {
			t.Errorf("product %d has domain %s and website %s", p.ID, p.Domain, p.Website)
		}
		domains := []string{"", p.Domain}
		for _, w := range p.Websites {
			unique("website", w.ID)
			domains = append(domains, w.Domain)
		}
		unused := make(map[int64]bool)
		for _, l := range p.Labels {
			unique("label", l.ID)
			unused[l.ID] = true
		}
		for _, q := range p.Prompts {
			unique("prompt", q.ID)
			unique("text", q.Text)
			if !slices.Contains(domains, q.Domain) {
				t.Errorf("prompt %d is for %s", q.ID, q.Domain)
			}
			for _, l := range q.Labels {
				if !ids[[2]any{"label", l}] {
					t.Errorf("prompt %d has the unknown label %d", q.ID, l)
				}
				delete(unused, l)
			}
		}
		if len(unused) > 0 {
			t.Errorf("product %d never uses the labels %v", p.ID, unused)
		}
	}
}

func TestPromptsRunOnThreeToSixKnownPlatforms(t *testing.T) {
	used := make(map[string]int)
	for _, p := range decodeWorkspace(t).Products {
		for _, q := range p.Prompts {
			if n := len(q.Platforms); n < 3 || n > 6 {
				t.Errorf("prompt %d runs on %d platforms", q.ID, n)
			}
			for _, name := range q.Platforms {
				used[name]++
			}
		}
	}
	for _, p := range platforms {
		if used[p.name] == 0 {
			t.Errorf("no prompt runs on %s", p.name)
		}
		delete(used, p.name)
	}
	if len(used) > 0 {
		t.Errorf("platforms without data: %v", used)
	}
}

func TestWorkspaceCannotBeChanged(t *testing.T) {
	Workspace()[0] = 'x'
	if Workspace()[0] == 'x' {
		t.Error("a caller changed the embedded file")
	}
}

func TestEveryProductHasAStrengthAndEverySiteAProfile(t *testing.T) {
	w := demoWorld()
	for _, p := range w.Products {
		if strengths[p.ID] == 0 {
			t.Errorf("product %d has no strength", p.ID)
		}
	}
	for _, s := range w.sites {
		if n := len(s.paths); s.visits == 0 || n < 60 || n > 120 {
			t.Errorf("%s has %v visits a day and %d pages", s.id, s.visits, n)
		}
	}
}
