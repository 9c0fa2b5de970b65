// Package gauge reads from outside how much of the machine a process holds, and
// says whether that grows.
package gauge

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Reading is what a process holds at one moment.
type Reading struct {
	At         time.Time
	RSS        int64 // bytes
	Threads    int64
	Files      int64 // open, sockets included
	Goroutines int64 // 0: the process does not say
}

// Read reads /proc, and the metrics of the process if it has an admin address.
func Read(pid int, admin string) (r Reading, err error) {
	r.At = time.Now()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return r, err
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "VmRSS":
			r.RSS, err = strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			r.RSS <<= 10
		case "Threads":
			r.Threads, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		}
		if err != nil {
			return r, err
		}
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return r, err
	}
	r.Files = int64(len(files))
	if admin != "" {
		r.Goroutines, err = goroutines(admin)
	}
	return r, err
}

// goroutines asks the metrics.
func goroutines(admin string) (int64, error) {
	res, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), "go_goroutines "); ok {
			n, err := strconv.ParseFloat(value, 64)
			return int64(n), err
		}
	}
	return 0, fmt.Errorf("no go_goroutines in the metrics of %s (status %d): %v", admin, res.StatusCode, lines.Err())
}
