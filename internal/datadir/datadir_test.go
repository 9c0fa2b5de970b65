package datadir

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func create(t *testing.T) Dir {
	t.Helper()
	d := Dir(filepath.Join(t.TempDir(), "data"))
	if err := d.Create(); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheSecretIsMadeOnce(t *testing.T) {
	d := create(t)
	secrets := make([][]byte, 20)
	var wg sync.WaitGroup
	for i := range secrets {
		wg.Go(func() {
			var err error
			if secrets[i], err = d.Secret(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, s := range secrets {
		if len(s) != secretBytes || !bytes.Equal(s, secrets[0]) {
			t.Fatal("first loads do not agree on a secret")
		}
	}
	if info, err := os.Stat(filepath.Join(string(d), "secret")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the secret: %v %v", info.Mode(), err)
	}
}

func TestALostOrDamagedSecretIsNotReplaced(t *testing.T) {
	d := create(t)
	path := filepath.Join(string(d), "secret")
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Secret(); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged secret: %v", err)
	}
	os.Remove(path)
	if err := os.WriteFile(filepath.Join(d.Facts(), "manifest.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Secret(); err == nil || !strings.Contains(err.Error(), "missing: restore it from a backup with 'sightline restore DIR --repair'") {
		t.Errorf("a lost secret: %v", err)
	}
}

func TestAMissingDirectorySaysWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o600)
	for dir, want := range map[Dir]string{"": "--data", "/nowhere/at/all": "sightline apply", Dir(file): "not a directory"} {
		if err := dir.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", dir, err, want)
		}
	}
}
