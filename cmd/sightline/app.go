package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sightline-hq/sightline/internal/datadir"
)

// app is what all subcommands share.
type app struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	data           string
	catalog        string // a URL; empty for the one in the data directory
	facts          string // likewise
	newCatalog     bool   // make one although there are facts
	newSecret      bool   // load with another one than before
}

func (a *app) dir() datadir.Dir { return datadir.Dir(a.data) }

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "sightline",
		Short: "Reporting on AI visibility: mentions, citations and agent traffic",
		Long: `Sightline answers, over a read-only HTTP JSON API, how often and how high AI answers
mention a product, which sources they cite, and what AI agents and AI-referred people
do on its websites.

Every flag has an environment twin: --data is SIGHTLINE_DATA.`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return a.fromEnvironment(c.Flags())
		},
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().StringVar(&a.data, "data", "./data", "data directory")
	root.PersistentFlags().StringVar(&a.catalog, "catalog", "", catalogUsage)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(a.demo(), a.serve(), a.apply(), a.key(), a.load(), a.status(), a.backup(), a.restore(), a.verify(), a.prune(), a.forget(), a.copy(), a.migrate(), a.agents(),
		clientOnly(a.check()), clientOnly(a.get()), clientOnly(a.mcp()), clientOnly(a.dashboard()), a.showVersion())
	return root
}

// fromEnvironment fills in flags that were not given: --data from SIGHTLINE_DATA.
func (a *app) fromEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		name := "SIGHTLINE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value := a.getenv(name); value != "" && !f.Changed && err == nil {
			var invalid *pflag.InvalidValueError
			if e := flags.Set(f.Name, value); errors.As(e, &invalid) {
				err = usageError{fmt.Errorf("%s: %s", name, wrongValue(invalid))}
			} else if e != nil {
				err = usageError{fmt.Errorf("%s: %w", name, e)}
			}
		}
	})
	return err
}

// clientOnly is a command without a data directory: its help does not name one.
func clientOnly(c *cobra.Command) *cobra.Command {
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		for _, name := range []string{"data", "catalog"} {
			c.Root().PersistentFlags().Lookup(name).Hidden = true
		}
		c.Root().HelpFunc()(c, args)
	})
	return c
}

// group is a command that only has subcommands.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: noArgs, RunE: func(c *cobra.Command, _ []string) error {
		c.SetOut(c.ErrOrStderr())
		c.Help()
		return wrong(c, "needs a subcommand")
	}}
	// A flag of a subcommand that is misspelt is not what is wrong.
	c.FParseErrWhitelist.UnknownFlags = true
	c.AddCommand(commands...)
	return c
}

func noArgs(c *cobra.Command, args []string) error {
	switch {
	case len(args) > 0 && !c.HasParent():
		return usageError{fmt.Errorf("unknown command %q%s (see 'sightline --help')", args[0], meant(c, args[0]))}
	case len(args) > 0 && c.HasSubCommands():
		return wrong(c, fmt.Sprintf("has no subcommand %q%s", args[0], meant(c, args[0])))
	case len(args) > 0:
		return wrong(c, fmt.Sprintf("takes no arguments, but got %q", args[0]))
	}
	return nil
}

// meant suggests the commands that are spelt alike.
func meant(c *cobra.Command, name string) string {
	c.SuggestionsMinimumDistance = 2
	if alike := c.SuggestionsFor(name); len(alike) > 0 {
		return ": did you mean " + strings.Join(alike, " or ") + "?"
	}
	return ""
}

// wrong is a command that was written wrongly, with where to read on.
func wrong(c *cobra.Command, what string) error {
	return usageError{fmt.Errorf("%s %s (see '%s --help')", c.CommandPath(), what, c.CommandPath())}
}

// someArgs asks for at least one argument of a kind.
func someArgs(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return wrong(c, "needs "+what)
		}
		return nil
	}
}

// oneArg asks for exactly one.
func oneArg(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return wrong(c, "needs "+what)
		case len(args) > 1:
			return wrong(c, fmt.Sprintf("takes one argument, %s, but got %d", what, len(args)))
		}
		return nil
	}
}
