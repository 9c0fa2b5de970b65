package duckdb_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/house"
)

// The allocator tells which settings it took, if it is asked to.
func TestTheAllocatorOfTheEngineGivesMemoryBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		house.Skip(t, "the engine has an allocator of its own on Linux only")
	}
	for name, c := range map[string]struct{ given, want string }{
		"our settings":    {"confirm_conf:true", "dirty_decay_ms:200"},
		"those of a user": {"confirm_conf:true,dirty_decay_ms:7000", "dirty_decay_ms:7000"},
	} {
		program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
		program.Env = append(os.Environ(), "DUCKDB_JE_MALLOC_CONF="+c.given)
		out, err := program.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var last string
		for line := range strings.Lines(string(out)) {
			if _, value, ok := strings.Cut(line, "Set conf value: dirty_decay_ms"); ok {
				last = "dirty_decay_ms" + strings.TrimSpace(value)
			}
		}
		if last != c.want {
			t.Errorf("%s: the allocator took %q, want %q", name, last, c.want)
		}
	}
}
