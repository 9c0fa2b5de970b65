package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/ingest"
)

// progress draws one line that is redrawn in place, on a terminal only.
type progress struct {
	w       io.Writer
	started time.Time
	drawn   bool
	of      string    // what the line is about
	at      time.Time // when it was drawn
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok {
		return &progress{}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &progress{}
	}
	return &progress{w: w}
}

func (p *progress) show(at ingest.Progress) {
	if p.w == nil {
		return
	}
	if p.started.IsZero() { // what came before was waiting for input
		p.started = time.Now()
	}
	switch {
	case at.Publishing:
		p.say("%d lines read, publishing…", at.Lines)
		return
	case at.Checking:
		p.say("checking what was loaded before…")
		return
	}
	const width = 16 // the line must fit into 80 columns
	share := float64(at.Bytes) / float64(max(at.TotalBytes, 1))
	full := min(int(share*width), width)
	elapsed := time.Since(p.started)
	p.say("[%s%s] %3.0f %% of %s  %d lines%s",
		strings.Repeat("=", full), strings.Repeat(" ", width-full), share*100, size(at.TotalBytes), at.Lines, pace(at.Lines, share, elapsed))
}

// pace is how fast lines are read and how long the rest takes. In the first moments
// nobody can tell.
func pace(lines int64, share float64, elapsed time.Duration) string {
	if elapsed < 200*time.Millisecond {
		return ""
	}
	left := time.Duration(float64(elapsed)/max(share, 0.001)) - elapsed
	return fmt.Sprintf(", %.0f/s  %s left", float64(lines)/elapsed.Seconds(), left.Round(time.Second))
}

// say draws a line.
func (p *progress) say(format string, args ...any) {
	if p.w == nil {
		return
	}
	p.drawn = true
	fmt.Fprintf(p.w, "\r\x1b[K"+format, args...)
}

// redraw is how often a line about the same thing is drawn again.
const redraw = 100 * time.Millisecond

// files shows how far work on files has come. It may be called for every few
// bytes.
func (p *progress) files(name string, done, all int64) {
	if p.w == nil || p.of == name && time.Since(p.at) < redraw {
		return
	}
	p.of, p.at = name, time.Now()
	p.say("%3.0f %% of %s  %s", 100*float64(done)/float64(max(all, 1)), size(all), name)
}

// rewritten shows how many files are written anew.
func (p *progress) rewritten(done, all int) { p.say("%d of %d files written anew", done, all) }

// counted shows how many weeks of visits are counted.
func (p *progress) counted(done, all int) { p.say("%d of %d weeks of visits counted", done, all) }

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.drawn, p.of = false, ""
}
