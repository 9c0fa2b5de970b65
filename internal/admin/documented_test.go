package admin_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// names are what an expression finds in files, sorted and each once.
func names(t *testing.T, expression, prefix string, files ...string) (all []string) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(expression).FindAllStringSubmatch(string(text), -1) {
			all = append(all, prefix+m[1])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryFigureIsExplained(t *testing.T) {
	there := append(names(t, `describe\("(\w+)"`, "sightline_", "figures.go"), names(t, `Name:\s+"(sightline_\w+)"`, "", "admin.go")...)
	slices.Sort(there)
	explained := names(t, `\b(sightline_[a-z_]+[a-z])\b`, "", "../../docs/operating.md")
	if !slices.Equal(there, explained) || len(there) < 15 {
		t.Errorf("there are %q\nexplained are %q", there, explained)
	}
}
