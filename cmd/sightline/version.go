package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version is the commit or tag that the binary was built from; make sets it.
var version = "built without make"

func (a *app) showVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print what this binary was built from",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(a.stdout, "sightline %s, %s\n", version, runtime.Version())
			return nil
		},
	}
}
