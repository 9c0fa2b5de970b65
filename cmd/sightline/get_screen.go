package main

import (
	"os"
	"strconv"

	"github.com/sightline-hq/sightline/internal/show"
)

// usualWidth is that of a terminal which does not say.
const usualWidth = 80

// screen is what reports are drawn for: a terminal's width and colours, or
// nothing, for a pipe.
func (a *app) screen() show.Screen {
	f, ok := a.stdout.(*os.File)
	if !ok || !isTerminal(a.stdout) {
		return show.Screen{}
	}
	s := show.Screen{Width: terminalWidth(f), Color: a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"}
	if n, err := strconv.Atoi(a.getenv("COLUMNS")); s.Width == 0 && err == nil && n > 0 {
		s.Width = n
	}
	if s.Width == 0 {
		s.Width = usualWidth
	}
	return s
}
