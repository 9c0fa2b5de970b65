package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/backup"
	"github.com/sightline-hq/sightline/internal/faults"
)

// sightline runs a command in this process, and returns what it says and its exit code.
func sightline(args ...string) (said string, code int) {
	var out bytes.Buffer
	code = run(context.Background(), args, func(string) string { return "" }, strings.NewReader(""), &out, &out)
	return out.String(), code
}

func must(t *testing.T, args ...string) string {
	t.Helper()
	said, code := sightline(args...)
	if code != exitDone {
		t.Fatalf("sightline %s: exit code %d: %s", strings.Join(args, " "), code, said)
	}
	return said
}

// A file of each kind is broken in every way: verify names it, and restore heals it.
func TestWhatIsDestroyedIsNamedByVerifyAndHealedByRestore(t *testing.T) {
	f := faults.New(t)
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	must(t, "--data", p.data, "load", "pageviews", write(t, "v.ndjson", 10, diskVisit))
	must(t, "--data", p.data, "load", "answers", write(t, "a.ndjson", 10, fewAnswers))
	saved := filepath.Join(t.TempDir(), "saved")
	must(t, "--data", p.data, "backup", saved)
	p.serve()
	visits, runs := p.wait("10"), must2(p.runs())(t)
	for _, name := range []string{"facts/visits-20260302-v1.duckdb", "facts/answers-20260302-v2.duckdb", "secret", "catalog.db", "facts/manifest.db"} {
		path := filepath.Join(p.data, filepath.FromSlash(name))
		for _, fault := range f.Some(3) {
			restore := f.Keep(path)
			fault.Break(path)
			said, code := sightline("--data", p.data, "verify")
			if code == exitDone && harmless(name, fault.Name) {
				restore()
				continue
			}
			if code != exitFailed || !strings.Contains(said, path) {
				t.Errorf("%s %s: verify says %d: %s", name, fault.Name, code, said)
			}
			if strings.HasSuffix(name, ".db") { // whole directories only
				healed := filepath.Join(t.TempDir(), "healed")
				must(t, "--data", healed, "restore", saved)
				must(t, "--data", healed, "verify")
			} else {
				must(t, "--data", p.data, "restore", "--repair", saved)
				must(t, "--data", p.data, "verify")
			}
			restore()
		}
	}
	p.until(p.visits, visits)
	p.until(p.runs, runs)
	healed := filepath.Join(t.TempDir(), "healed")
	must(t, "--data", healed, "restore", saved)
	p.stop()
	p.data = healed // with the key, which is in the backup
	p.serve()
	p.until(p.visits, visits)
	p.until(p.runs, runs)
}

func fewAnswers(i int) string {
	return fmt.Sprintf(`{"id":"%d","promptId":11,"platform":"openai","at":"2026-03-02T09:00:00Z","mentions":[{"productId":101,"position":%d}],"citations":["https://a.example/%d"]}`, i, 1+i%3, i)
}

// harmless says whether a fault may hit what nothing depends on: unused bytes of
// a database, and the white space of the secret.
func harmless(name, fault string) bool {
	return fault == "bit-flipped" && (strings.HasSuffix(name, ".db") || name == "secret") || fault == "overwritten" && strings.HasSuffix(name, ".db")
}

func must2[T any](value T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Backups are taken while loads, merges and prunes run. Each is one published
// version, whole.
func TestABackupBesideLoadsIsAlwaysOnePublishedVersion(t *testing.T) {
	loads := number(t, "SIGHTLINE_BACKUP_LOADS", "6")
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	published := make(map[int64]int64) // rows by version
	note := func() {
		version, rows := rowsOf(t, p.data)
		published[version] = rows
	}
	note()
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
		for i := range loads {
			// A week of another quarter each time; old ones come to rest and are merged.
			file := write(t, fmt.Sprintf("v%d.ndjson", i), 20*(i+1), func(n int) string {
				at := time.Date(2025, 1, 6+7*i+n%3*100, 9, 0, n%60, 0, time.UTC)
				return fmt.Sprintf(`{"at":%q,"websiteId":"w-acme","url":"https://acme.com/%d","userAgent":"curl/8.5.0"}`, at.Format(time.RFC3339), n)
			})
			must(t, "--data", p.data, "load", "pageviews", file)
			note()
			if i%3 == 2 {
				must(t, "--data", p.data, "prune", "--before", time.Date(2025, 1, 6+7*i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
				note()
			}
		}
	})
	saved := filepath.Join(t.TempDir(), "saved")
	type taken struct{ version, rows int64 }
	var backups []taken
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		must(t, "--data", p.data, "backup", saved)
		must(t, "verify", "--backup", saved)
		healed := filepath.Join(t.TempDir(), "healed")
		must(t, "--data", healed, "restore", saved)
		must(t, "--data", healed, "verify")
		version, rows := rowsOf(t, healed)
		backups = append(backups, taken{version, rows})
	}
	wg.Wait()
	for _, b := range backups {
		if want, ok := published[b.version]; !ok || b.rows != want {
			t.Errorf("a backup has %d rows in version %d; that has %d", b.rows, b.version, want)
		}
	}
	t.Logf("%d backups beside %d versions", len(backups), len(published))
	stored, err := filepath.Glob(filepath.Join(saved, "facts", "*.duckdb"))
	if b := must2(backup.Read(saved))(t); err != nil || len(stored) != len(b.Files)-3 {
		t.Errorf("%d files are stored, and %d needed: %v", len(stored), len(b.Files)-3, err)
	}
}

// rowsOf reads version and number of visits of a directory.
func rowsOf(t *testing.T, data string) (version, rows int64) {
	t.Helper()
	var s dataStatus
	if err := json.Unmarshal([]byte(must(t, "--data", data, "status", "--output", "json")), &s); err != nil {
		t.Fatal(err)
	}
	return s.Version, s.Kinds[0].Rows
}

// A backup holds its files open: what loads remove meanwhile is still in it.
func TestABackupHasFilesThatAreRemovedMeanwhile(t *testing.T) {
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	must(t, "--data", p.data, "load", "pageviews", write(t, "v.ndjson", 10, diskVisit))
	a := &app{data: p.data, stderr: &bytes.Buffer{}}
	b := &backup.Backup{}
	items, release, err := a.collect(t.Context(), b, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := os.RemoveAll(p.data); err != nil {
		t.Fatal(err)
	}
	for _, link := range []bool{false, true} {
		saved := filepath.Join(t.TempDir(), "saved")
		for i := range items {
			items[i].File.Seek(0, 0)
		}
		if _, err := backup.Write(t.Context(), saved, &backup.Backup{FactsVersion: b.FactsVersion}, items, backup.Options{Link: link}); err != nil {
			t.Fatal(err)
		}
		healed := filepath.Join(t.TempDir(), "healed")
		must(t, "--data", healed, "restore", saved)
		must(t, "--data", healed, "verify")
	}
}

// A backup that is stopped leaves the one before whole.
func TestAnInterruptedBackupLeavesTheOneBefore(t *testing.T) {
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	must(t, "--data", p.data, "load", "pageviews", write(t, "v.ndjson", 10, diskVisit))
	saved := filepath.Join(t.TempDir(), "saved")
	must(t, "--data", p.data, "backup", saved)
	must(t, "--data", p.data, "load", "pageviews", write(t, "w.ndjson", 10, func(i int) string { return diskVisit(i + 100) }))
	stopped := 0
	for after := range 4 {
		ctx, cancel := context.WithCancel(t.Context())
		a := &app{data: p.data, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
		b := &backup.Backup{}
		items, release, err := a.collect(ctx, b, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		files := 0
		_, err = backup.Write(ctx, saved, b, items, backup.Options{Progress: func(string, int64, int64) {
			if files == after {
				cancel()
			}
			files++
		}})
		release()
		cancel()
		if err == nil {
			continue
		}
		stopped++
		must(t, "verify", "--backup", saved)
		if now := must2(backup.Read(saved))(t); now.FactsVersion != 1 {
			t.Errorf("the list names version %d", now.FactsVersion)
		}
	}
	if stopped == 0 {
		t.Error("no backup was stopped")
	}
	must(t, "--data", p.data, "backup", saved)
	must(t, "verify", "--backup", saved)
}

// A secret that two names lead to is one that a careless hand can change in both.
func TestALinkedBackupLinksFactsOnlyAndIsAsPrivateAsACopy(t *testing.T) {
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	must(t, "--data", p.data, "load", "pageviews", write(t, "v.ndjson", 10, diskVisit))
	saved := filepath.Join(t.TempDir(), "saved")
	look := func(how string, linkedFacts bool) {
		t.Helper()
		must(t, "verify", "--backup", saved)
		for _, f := range must2(backup.Read(saved))(t).Files {
			stored := must2(os.Stat(filepath.Join(saved, filepath.FromSlash(f.Stored))))(t)
			original := must2(os.Stat(filepath.Join(p.data, filepath.FromSlash(f.Path))))(t)
			linked := os.SameFile(stored, original)
			if want := linkedFacts && strings.HasSuffix(f.Path, ".duckdb"); linked != want {
				t.Errorf("%s: %s is a link: %v", how, f.Path, linked)
			}
			if !linked && stored.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s has mode %v", how, f.Path, stored.Mode())
			}
		}
		if folder := must2(os.Stat(filepath.Join(saved, "facts")))(t); folder.Mode().Perm() != 0o700 {
			t.Errorf("%s: the folder of facts has mode %v", how, folder.Mode())
		}
	}
	must(t, "--data", p.data, "backup", "--link", saved)
	look("linked", true)
	secret, _ := must2(backup.Read(saved))(t).At("secret")
	stored := filepath.Join(saved, secret.Stored)
	if err := os.Remove(stored); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(p.data, "secret"), stored); err != nil {
		t.Fatal(err)
	}
	must(t, "--data", p.data, "backup", "--link", saved)
	look("with a secret that was a link", true)
	must(t, "--data", p.data, "backup", saved)
	look("copied later", false)
}
