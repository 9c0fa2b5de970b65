package main

import (
	"fmt"
	"os/exec"
	"strings"
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
	p.wait("60010")
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

// wait asks until the server counts a number of visits, and returns its answer.
func (p *program) wait(count string) (answer string) {
	p.t.Helper()
	p.until(func() (string, error) {
		var err error
		answer, err = p.visits()
		return fmt.Sprint(strings.Contains(answer, `"botVisits":`+count+"}")), err
	}, "true")
	return answer
}

func diskVisit(i int) string {
	return fmt.Sprintf(`{"at":"2026-03-02T09:00:00Z","websiteId":"w-acme","url":"https://acme.com/%x-%x-%x","userAgent":"curl/8.5.0"}`,
		i*7919, i*104729, i*1299709)
}
