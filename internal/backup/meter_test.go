package backup

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// progressOf looks at what is told: it never goes back, gets to the end, and tells
// more than once of a large file.
type progressOf struct {
	*testing.T
	last, all int64
	calls     map[string]int
}

func watch(t *testing.T) *progressOf { return &progressOf{T: t, calls: make(map[string]int)} }

func (p *progressOf) tell(path string, done, all int64) {
	p.Helper()
	if done < p.last || done > all || p.all > 0 && all != p.all {
		p.Errorf("%s: %d of %d after %d of %d", path, done, all, p.last, p.all)
	}
	p.last, p.all = done, all
	p.calls[path]++
}

func (p *progressOf) done(what string) {
	p.Helper()
	if p.last != p.all || p.all != 1<<20+7 || p.calls["facts/large"] < 10 || p.calls["secret"] == 0 {
		p.Errorf("%s: %d of %d, %v", what, p.last, p.all, p.calls)
	}
}

func TestProgressIsToldWhileAFileIsRead(t *testing.T) {
	dir := t.TempDir()
	var items []Item
	for path, content := range map[string][]byte{"facts/large": bytes.Repeat([]byte("x"), 1<<20), "secret": []byte("7 bytes")} {
		name := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		items = append(items, Item{Path: path, File: file})
	}
	saved := filepath.Join(dir, "saved")
	told := watch(t)
	b := &Backup{Made: time.Now().UTC(), FactsVersion: 1}
	if _, err := Write(t.Context(), saved, b, items, Options{Progress: told.tell}); err != nil {
		t.Fatal(err)
	}
	told.done("a backup")
	told = watch(t)
	if problems, err := b.Verify(t.Context(), told.tell); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	told.done("verifying it")
	told = watch(t)
	if err := b.Restore(t.Context(), filepath.Join(dir, "restored"), told.tell); err != nil {
		t.Fatal(err)
	}
	told.done("restoring it")
}
