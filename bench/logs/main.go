// Command logs measures how fast access logs are loaded, beside GoAccess on the
// same file in the same run, and how much memory that takes. It writes what it
// saw to RESULTS.md beside it. 'make bench-logs' runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

type options struct {
	sightline string
	lines     int
	large     int
	runs      int
	dir       string
	results   string
}

func main() {
	var o options
	flag.StringVar(&o.sightline, "sightline", "bin/sightline", "the program to measure")
	flag.IntVar(&o.lines, "lines", 2_000_000, "lines of the log that both read")
	flag.IntVar(&o.large, "large", 20_000_000, "lines of the log that only Sightline reads, for its memory; 0: none")
	flag.IntVar(&o.runs, "runs", 3, "how often each is run, in turns")
	flag.StringVar(&o.dir, "dir", "", "folder for the logs and the data; default: a temporary one")
	flag.StringVar(&o.results, "results", "bench/logs/RESULTS.md", "file to write")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(o options) (err error) {
	if o.sightline, err = filepath.Abs(o.sightline); err != nil {
		return err
	}
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "sightline-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	log, size, err := makeLog(o.dir, o.lines)
	if err != nil {
		return err
	}
	var peer, ours []measured
	for i := range o.runs {
		say("run %d of %d: GoAccess", i+1, o.runs)
		m, err := goaccess(o.dir, log)
		if err != nil {
			return err
		}
		peer = append(peer, m)
		say("run %d of %d: Sightline", i+1, o.runs)
		if m, err = load(o, log); err != nil {
			return err
		}
		ours = append(ours, m)
	}
	rows := []row{{"GoAccess", o.lines, size, peer}, {"sightline load logs", o.lines, size, ours}}
	if o.large > 0 {
		large, size, err := makeLog(o.dir, o.large)
		if err != nil {
			return err
		}
		say("Sightline on the large log")
		m, err := load(o, large)
		if err != nil {
			return err
		}
		rows = append(rows, row{"sightline load logs", o.large, size, []measured{m}})
	}
	text := report(rows, float64(median(peer))/float64(median(ours)))
	fmt.Print(text)
	return os.WriteFile(o.results, []byte(text), 0o644)
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// makeLog writes a log and shows how far it is.
func makeLog(dir string, lines int) (path string, size int64, err error) {
	path = filepath.Join(dir, fmt.Sprintf("%d.log", lines))
	f, err := os.Create(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	told := time.Now()
	err = generate(f, lines, 1, func(done int) {
		if time.Since(told) > time.Second {
			told = time.Now()
			say("making a log: %d of %d lines", done, lines)
		}
	})
	if err != nil {
		return "", 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	return path, info.Size(), nil
}

// row is a line of the report.
type row struct {
	what  string
	lines int
	bytes int64
	runs  []measured
}

func median(runs []measured) time.Duration {
	var all []time.Duration
	for _, m := range runs {
		all = append(all, m.took)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func report(rows []row, ratio float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Loading access logs\n\nWritten by `make bench-logs` on %s, %d cores, %s. Times are medians; all runs are of one file, in turns.\n",
		time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.Version())
	fmt.Fprintf(&b, "Sightline's time ends when the visits are published; then the API is asked for them, and must count as many.\n\n")
	fmt.Fprintf(&b, "| | lines | MB | seconds | lines/s | all runs | peak memory, MB |\n|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		var all []string
		var memory int64
		for _, m := range r.runs {
			all = append(all, fmt.Sprintf("%.1f", m.took.Seconds()))
			memory = max(memory, m.memory)
		}
		took := median(r.runs).Seconds()
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f | %.0f | %s | %d |\n", r.what, r.lines, r.bytes/1e6, took, float64(r.lines)/took, strings.Join(all, ", "), memory/1e6)
	}
	fmt.Fprintf(&b, "\nGoAccess takes %.1f times as long as Sightline.\n", ratio)
	return b.String()
}
