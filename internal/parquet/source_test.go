package parquet

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read opens a file and reads all of it.
func read(t *testing.T, path string, columns ...string) error {
	t.Helper()
	f, err := Open(t.Context(), path, columns)
	if err != nil {
		return err
	}
	return errors.Join(f.Each(t.Context(), func(int64, []byte) error { return nil }), f.Close())
}

func TestAFileThatIsNoneSaysSo(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", "this is no Parquet file"},
		{"text", "id,at\n1,2\n", "this is no Parquet file"},
		{"three bytes", "PAR", "this is no Parquet file"},
		{"only the start", "PAR1", errDamaged.Error()},
		{"only start and end", "PAR1PAR1", errDamaged.Error()},
		{"start and end without a footer", "PAR1\x00\x00\x00\x00PAR1", errDamaged.Error()},
		{"a footer longer than the file", "PAR1\xff\xff\xff\x7fPAR1", errDamaged.Error()},
		{"encrypted", "PARE\x00\x00\x00\x00PARE", "the Parquet file is encrypted"},
		{"encrypted in part", "PAR1\x00\x00\x00\x00PARE", "the Parquet file is encrypted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, c.name)
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := read(t, path, "id"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	if err := read(t, dir, "id"); !errors.Is(err, errNotParquet) {
		t.Errorf("a folder: %v", err)
	}
	if err := read(t, filepath.Join(dir, "absent"), "id"); !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Errorf("an absent file: %v", err)
	}
}

func TestAFileThatIsCutOffSaysSo(t *testing.T) {
	path := written(t, "select i as id, 'text ' || i as t from range(10000) r(i)")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	middle := append(append([]byte{}, whole[:len(whole)/3]...), whole[len(whole)/2:]...)
	for name, content := range map[string][]byte{
		"the last byte": whole[:len(whole)-1], "half": whole[:len(whole)/2], "nearly all": whole[:8], "the middle": middle,
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := read(t, path, "id", "t"); !errors.Is(err, errDamaged) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
		})
	}
}

// What is damaged can still read as other values; it must not bring the
// process down, and what is said about it must be ours.
func TestDamagedBytesAreAnErrorAtMost(t *testing.T) {
	path := written(t, "select i as id, 'text ' || i as t, [{'a': i}] as l from range(3000) r(i)")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	failed := 0
	for range 40 {
		content := append([]byte{}, whole...)
		content[4+random.IntN(len(whole)-8)] ^= byte(1 + random.IntN(255))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := read(t, path, "id", "t", "l"); err != nil {
			if failed++; !strings.Contains(err.Error(), "the Parquet file ") {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
	if failed == 0 {
		t.Errorf("seed %d: no damage was noticed", seed)
	}
}

func TestMissingColumnsAreNamed(t *testing.T) {
	for _, c := range []struct{ name, query, want string }{
		{"other names", `select 1 as "ID", 2 as x`, "the Parquet file has none of the columns id, at: it has ID, x"},
		{"many names", "select " + strings.Repeat("1 as x, ", 24) + "2 as y", "the Parquet file has none of the columns id, at: it has x, "},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := read(t, written(t, c.query), "id", "at")
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || len(err.Error()) > 250 {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	path := written(t, "select 1 as ab, 2 as ac")
	patch(t, path, "ac", "ab")
	if err := read(t, path, "ab"); err == nil || err.Error() != "the Parquet file has the column ab twice" {
		t.Error(err)
	}
}

func TestTextThatIsNotWhatTheFileSaysIsNamed(t *testing.T) {
	for _, c := range []struct{ name, query, from, to, want string }{
		{"UTF-8", "select 'some text that is long' as t", "text that is", "text\xffthat\xffis", "the Parquet file has text that is not valid UTF-8"},
		{"JSON", `select '{"a":"bcdefghijklmnop"}'::json as t`, `op"`, `o""`, "the Parquet file has JSON that is none"},
		{"long JSON", `select ('{"a":"' || repeat('b', 5000) || 'op"}')::json as t`, `op"`, `o""`, "the Parquet file has JSON that is none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := written(t, c.query)
			patch(t, path, c.from, c.to)
			if err := read(t, path, "t"); err == nil || !strings.HasPrefix(err.Error(), c.want) || len(err.Error()) > 500 {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
