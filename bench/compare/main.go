// Command compare asks Sightline and other engines the same questions of the
// same data in one run, checks that their answers are equal, and writes what it
// saw to RESULTS.md and results.svg. 'make bench' runs it. Every stage can be
// run again alone; what earlier ones made is kept.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/engines"
	"github.com/sightline-hq/sightline/bench/compare/report"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

// options are the flags.
type options struct {
	dir         string
	out         string
	program     string
	chdb        string
	size        data.Size
	stages      string
	without     string
	only        string
	repeat      int
	memory      string
	wrkSeconds  int
	tenantPart  int
	weekVisits  int
	weekLengths []int
	dayLengths  []int
}

var allStages = []string{"data", "load", "sizes", "counts", "duckdb", "postgres", "clickhouse", "chdb", "copy", "ask", "wrk", "growth", "report"}

func (o *options) flags(f *flag.FlagSet) {
	o.size, o.weekLengths, o.dayLengths = data.Full, []int{1, 13, 52, 156}, []int{7, 30, 90, 180, 365}
	f.StringVar(&o.dir, "dir", defaultDir(), "folder for the data, kept for the next run")
	f.StringVar(&o.out, "results", "bench", "folder to write RESULTS.md and results.svg to")
	f.StringVar(&o.program, "sightline", "bin/sightline", "the program to measure")
	f.StringVar(&o.chdb, "chdb", "", "path of libchdb.so")
	f.IntVar(&o.size.Visits, "visits", o.size.Visits, "visits in all")
	f.IntVar(&o.size.Mentions, "mentions", o.size.Mentions, "mentions of the large product's answers in a year")
	f.Uint64Var(&o.size.Seed, "seed", o.size.Seed, "seed of the data")
	f.StringVar(&o.stages, "stages", strings.Join(allStages, ","), "what to do; growth is days, weeks and tenants")
	f.StringVar(&o.without, "without", "", "engines to leave out, separated by commas")
	f.StringVar(&o.only, "questions", "", "numbers of the questions to ask, separated by commas; the others keep their earlier times")
	f.IntVar(&o.repeat, "repeat", 7, "how often each question is asked")
	f.StringVar(&o.memory, "memory", "304MiB", "memory that serve is given")
	f.IntVar(&o.wrkSeconds, "wrk-seconds", 10, "length of each measurement with wrk")
	f.IntVar(&o.tenantPart, "tenant-part", 20, "the data for ten times more tenants is this part of all")
	f.IntVar(&o.weekVisits, "week-visits", 20_000, "visits a week where weeks are many")
}

// defaultDir is in the user's cache; root's home is closed to PostgreSQL's user.
func defaultDir() string {
	cache, err := os.UserCacheDir()
	if err != nil || os.Getuid() == 0 {
		cache = "/var/tmp"
	}
	return filepath.Join(cache, "sightline-bench")
}

func main() {
	var o options
	o.flags(flag.CommandLine)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is a run.
type bench struct {
	options
	world   *data.World
	root    string // everything of this size
	kinds   []engines.Kind
	results *report.Results
	saved   string // where results are kept
}

func run(ctx context.Context, o options) (err error) {
	b := &bench{options: o}
	for _, path := range []*string{&b.dir, &b.program, &b.out, &b.chdb} {
		if *path != "" {
			if *path, err = filepath.Abs(*path); err != nil {
				return err
			}
		}
	}
	b.root = filepath.Join(b.dir, fmt.Sprintf("%d-%d-%d", o.size.Visits, o.size.Mentions, o.size.Seed))
	if err := os.MkdirAll(b.root, 0o755); err != nil {
		return err
	}
	b.saved = filepath.Join(b.root, "results.json")
	if b.results, err = report.Read(b.saved); err != nil {
		return err
	}
	if err := b.choose(); err != nil {
		return err
	}
	b.world = data.New(o.size)
	b.results.Size, b.results.Machine, b.results.When = o.size, machine(), time.Now().UTC().Format(time.DateOnly)
	b.results.Memory = o.memory
	for stage := range strings.SplitSeq(o.stages, ",") {
		say("== %s", stage)
		if err := b.stage(ctx, stage); err != nil {
			return fmt.Errorf("%s: %w", stage, err)
		}
		if err := b.results.Save(b.saved); err != nil {
			return err
		}
	}
	return nil
}

// choose decides which engines are asked.
func (b *bench) choose() error {
	without := strings.FieldsFunc(b.without, func(r rune) bool { return r == ',' })
	b.results.Without = nil
	for _, k := range engines.Kinds(b.chdb) {
		if i := slices.Index(without, k.Name); i >= 0 {
			without = slices.Delete(without, i, i+1)
			b.results.Without = append(b.results.Without, k.Title)
			continue
		}
		b.kinds = append(b.kinds, k)
	}
	if len(without) > 0 {
		return fmt.Errorf("--without: there is no engine %s", strings.Join(without, ", "))
	}
	asked := func(name string) bool {
		return slices.ContainsFunc(b.kinds, func(k engines.Kind) bool { return k.Name == name })
	}
	b.results.Keep(func(name string) bool {
		return name == report.Sightline || asked(name) || name == report.OnClickHouse && asked(report.ClickHouse)
	})
	return nil
}

func (b *bench) stage(ctx context.Context, name string) error {
	switch name {
	case "data":
		return b.makeData()
	case "load":
		return b.load(ctx)
	case "sizes":
		return b.sizes(ctx)
	case "counts":
		return b.counts(ctx)
	case "duckdb", "postgres", "clickhouse", "chdb":
		return b.fillEngine(ctx, name)
	case "copy":
		return b.copyFacts(ctx)
	case "ask":
		return b.ask(ctx)
	case "wrk":
		return b.measureWeb(ctx)
	case "growth":
		for _, part := range []string{"days", "weeks", "tenants"} {
			if err := b.stage(ctx, part); err != nil {
				return fmt.Errorf("%s: %w", part, err)
			}
			if err := b.results.Save(b.saved); err != nil {
				return err
			}
		}
		return nil
	case "days":
		return b.growDays(ctx)
	case "weeks":
		return b.growWeeks(ctx)
	case "tenants":
		return b.growTenants(ctx)
	case "report":
		return b.write()
	}
	return fmt.Errorf("there is no such stage: choose from %s", strings.Join(allStages, ","))
}

func (b *bench) sightline() sightline.Program {
	return sightline.Program{Path: b.program, Data: filepath.Join(b.root, "sightline")}
}

// write writes the report.
func (b *bench) write() error {
	text := b.results.Markdown()
	fmt.Print(text)
	if err := os.WriteFile(filepath.Join(b.out, "RESULTS.md"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, "results.svg"), []byte(b.results.Chart()), 0o644)
}

func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// progress says every few seconds how far something is.
func progress(what string) data.Progress {
	told := time.Now()
	return func(done, of int) {
		if time.Since(told) > 5*time.Second {
			told = time.Now()
			say("%s: %d %%", what, 100*done/of)
		}
	}
}

func machine() report.Machine {
	m := report.Machine{Cores: runtime.NumCPU(), Go: runtime.Version(), System: "Linux"}
	if text, err := os.ReadFile("/etc/os-release"); err == nil {
		m.System = field(string(text), "PRETTY_NAME=", m.System)
	}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		m.CPU = field(string(text), "model name", "unknown CPU")
	}
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		m.Memory = int64(info.Totalram) * int64(info.Unit)
	}
	return m
}

// field is the rest of the line that begins with a name.
func field(text, name, otherwise string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.Trim(rest, "\" \t:")
		}
	}
	return otherwise
}
