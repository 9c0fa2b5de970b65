package clickhouse

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// process says who runs a load. Names of hosts do not tell machines apart, and
// numbers of processes mean something only where they were given: two containers
// may have the same of both.
type process struct {
	host    string // for people
	number  int64
	space   string // where the number means something; empty: not known
	started int64  // by the kernel's clock, or 0
}

// thisProcess is the one that runs.
func thisProcess() process {
	p := process{number: int64(os.Getpid())}
	p.host, _ = os.Hostname()
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	numbers, err2 := os.Readlink("/proc/self/ns/pid")
	if err == nil && err2 == nil {
		p.space = strings.TrimSpace(string(boot)) + " " + numbers
	}
	p.started, _ = startOf(p.number)
	return p
}

// String names the process for people.
func (p process) String() string { return fmt.Sprintf("process %d on %s", p.number, p.host) }

// ended says whether the process is known to have ended. Of one elsewhere, nothing
// is known.
func (p process) ended(here process) bool {
	if p.space == "" || p.space != here.space {
		return false
	}
	started, ok := startOf(p.number)
	return !ok || started != p.started
}

// startOf is when a process of this machine has started; not ok: there is none,
// or it has ended and nobody has asked how.
func startOf(number int64) (ticks int64, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", number))
	if err != nil {
		return 0, false
	}
	// The name of the program may hold anything, and is in brackets.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	const state, start = 0, 19
	if len(fields) <= start || fields[state] == "Z" || fields[state] == "X" {
		return 0, false
	}
	ticks, err = strconv.ParseInt(fields[start], 10, 64)
	return ticks, err == nil
}
