package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program is built once for all runs.
var program string

func TestMain(m *testing.M) { os.Exit(withProgram(m)) }

func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "stress-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "sightline")
	build := exec.Command("go", "build", "-o", program, "../../cmd/sightline")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return m.Run()
}

// Small runs of every command, so that none can rot. How fast the answers come
// is not looked at: the machines that run tests are busy. The targets of make look.
func TestSmallRunsHold(t *testing.T) {
	for _, c := range []struct{ name, flags, want string }{
		{"fuzz", "--requests 4000 --slack 200 --log-requests", "product out of reach"},
		{"publish", "--publishes 3 --duration 4s --rate 40 --factor 0", "0 errors"},
		{"soak", "--duration 5s --every 300ms --rate 20 --slack 200", "open files"},
		{"overload", "--duration 1s --factor 0", "turned away with 503"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := run(t.Context(), append([]string{c.name, "--program", program, "--visits", "1000", "--answers", "300"}, strings.Fields(c.flags)...), &out)
			t.Logf("%s", out.String())
			if err != nil || !strings.Contains(out.String(), c.want) {
				t.Errorf("%v; want %q in what it prints", err, c.want)
			}
		})
	}
}
