package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sightline-hq/sightline/internal/house"
)

// small mounts a small disk, to be filled or made read-only.
func small(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		house.Skip(t, fmt.Sprintf("mounting a small disk needs root: %s", strings.TrimSpace(string(out))))
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	return dir
}

func remount(t *testing.T, dir, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Fatalf("remount: %s", out)
	}
}

func TestAFullDiskFailsTheLoadAndLosesNothing(t *testing.T) {
	t.Parallel()
	p := newProgram(t, small(t, "4m"))
	p.serve()
	first := write(t, "first.ndjson", 10, diskVisit)
	p.run("load", "pageviews", first)
	before := p.wait("10")
	large := write(t, "large.ndjson", 60_000, diskVisit)
	said := p.fail("load", "pageviews", large)
	if !strings.Contains(strings.ToLower(said), "no space left") && !strings.Contains(said, "disk is full") {
		t.Errorf("a full disk is not named: %s", said)
	}
	p.until(p.visits, before)
	remount(t, p.data, "size=200m")
	p.run("load", "pageviews", large)
	p.wait("60000") // it begins as the first file does, so it is that file, grown
}

func TestAReadOnlyDirectoryCanBeServedButNotLoadedInto(t *testing.T) {
	p := newProgram(t, small(t, "20m"))
	p.run("load", "pageviews", write(t, "first.ndjson", 10, diskVisit))
	remount(t, p.data, "ro")
	said := p.fail("load", "pageviews", write(t, "second.ndjson", 20, diskVisit))
	if !strings.Contains(said, "cannot write to the data directory") || !strings.Contains(said, "--data") {
		t.Errorf("a read-only directory is not named: %s", said)
	}
	if said := p.fail("key", "create", "--team", "acme"); !strings.Contains(said, "--data") {
		t.Errorf("a read-only directory is not named: %s", said)
	}
	p.serve()
	p.wait("10")
}

// A load runs out of disk wherever there is little left: while it collects,
// while it builds the files, while it publishes them. Each time nothing has
// changed, and in the end, with room, everything is there.
func TestADiskThatFillsUpAtAnyStageLosesNothing(t *testing.T) {
	t.Parallel()
	p := newProgram(t, small(t, "64m"))
	p.serve()
	p.run("load", "logs", write(t, "first.log", 10, diskLine))
	before := p.wait("10")
	large := write(t, "large.log", 30_000, func(i int) string { return diskLine(i + 10) })
	filler := filepath.Join(p.data, "filler")
	failures := map[string]bool{}
	growth := number(t, "SIGHTLINE_ROOM", "150") // per cent
	for room := 16 << 10; ; room = room * growth / 100 {
		leave(t, filler, room)
		var errOut bytes.Buffer
		cmd := p.command("load", "logs", large)
		cmd.Stderr = &errOut
		if cmd.Run() == nil {
			break
		}
		said := errOut.String()
		if text := strings.ToLower(said); !strings.Contains(text, "no space left") && !strings.Contains(text, "disk is full") {
			t.Errorf("with %d bytes of room, a full disk is not named: %s", room, said)
		}
		failures[strings.SplitN(said, ":", 3)[1]] = true
		p.until(p.visits, before)
	}
	t.Logf("failed as: %v", failures)
	if len(failures) < 2 {
		t.Error("the disk was full at one stage only")
	}
	p.wait("30010")
}

// leave fills a disk but for some room.
func leave(t *testing.T, filler string, room int) {
	t.Helper()
	os.Remove(filler)
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(f, zeros{}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling the disk: %v", err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(max(0, info.Size()-int64(room))); err != nil {
		t.Fatal(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func diskLine(i int) string {
	return fmt.Sprintf(`203.0.113.10 - - [02/Mar/2026:09:00:00 +0000] "GET /%x-%x-%x HTTP/1.1" 200 512 "-" "curl/8.5.0"`, i*7919, i*104729, i*1299709)
}

// wait asks until the server counts a number of visits (of one week, if it is
// given), and returns its answer.
func (p *program) wait(count string, week ...string) (answer string) {
	p.t.Helper()
	want := strings.Join(append(week, `"botVisits":`+count+"}"), ",")
	p.until(func() (string, error) {
		var err error
		answer, err = p.visits()
		return fmt.Sprint(strings.Contains(answer, want)), err
	}, "true")
	return answer
}

func diskVisit(i int) string {
	return fmt.Sprintf(`{"at":"2026-03-02T09:00:00Z","websiteId":"w-acme","url":"https://acme.com/%x-%x-%x","userAgent":"curl/8.5.0"}`,
		i*7919, i*104729, i*1299709)
}

// A backup that does not fit leaves the one before whole, and says what is the
// matter; so does a restore, which leaves nothing.
func TestAFullDiskFailsTheBackupAndTheRestoreAndLosesNothing(t *testing.T) {
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	p.run("load", "pageviews", write(t, "first.ndjson", 10, diskVisit))
	disk := small(t, "16m")
	saved := filepath.Join(disk, "saved")
	p.run("backup", saved)
	p.run("load", "pageviews", write(t, "second.ndjson", 500, func(i int) string { return diskVisit(i + 10) }))
	leave(t, filepath.Join(disk, "filler"), 64<<10)
	for _, args := range [][]string{{"backup", saved}, {"restore", saved, "--data", filepath.Join(disk, "restored")}} {
		if said := p.fail(args...); !strings.Contains(said, "no space left") {
			t.Errorf("a full disk is not named: %s", said)
		}
	}
	p.run("verify", "--backup", saved)
	if left, err := filepath.Glob(filepath.Join(disk, "*restor*")); err != nil || len(left) > 0 {
		t.Errorf("the restore leaves %v %v", left, err)
	}
	os.Remove(filepath.Join(disk, "filler"))
	p.run("backup", saved)
	p.run("restore", saved, "--data", filepath.Join(disk, "restored"))
	remount(t, disk, "ro")
	p.run("verify", "--backup", saved)
	p.run("restore", saved, "--data", filepath.Join(t.TempDir(), "elsewhere"))
	p.run("verify", "--data", filepath.Join(disk, "restored"))
	p.run("backup", filepath.Join(t.TempDir(), "again"), "--data", filepath.Join(disk, "restored"))
	if said := p.fail("backup", saved); !strings.Contains(said, "read-only") {
		t.Errorf("a read-only folder is not named: %s", said)
	}
}
