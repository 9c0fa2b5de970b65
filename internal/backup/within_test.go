package backup

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderIsWithinAnotherWhateverLinksLeadThere(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	if err := os.MkdirAll(at("data/facts"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at("data"), at("link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path, folder string
		want               bool
	}{
		{"itself", "data", "data", true},
		{"a folder in it", "data/facts", "data", true},
		{"a folder in it that is to be made", "data/new/deep", "data", true},
		{"by a link", "link/new", "data", true},
		{"of a link", "data/new", "link", true},
		{"a neighbour", "saved", "data", false},
		{"a neighbour whose name begins alike", "data2", "data", false},
		{"a name with two dots", "data/..new", "data", true},
		{"the one around it", ".", "data", false},
	} {
		if got := Within(at(c.path), at(c.folder)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
