//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth asks the terminal; 0 if it does not know.
func terminalWidth(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
