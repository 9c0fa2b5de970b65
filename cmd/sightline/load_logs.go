package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/accesslog"
	"github.com/sightline-hq/sightline/internal/ingest"
)

func (a *app) loadLogs() *cobra.Command {
	var format, fields string
	var every time.Duration
	o := &loadOptions{source: ingest.Logs}
	c := &cobra.Command{
		Use:   "logs FILE…",
		Short: "Load access logs of web servers and CDNs",
		Long: `Load access logs of web servers and CDNs.

The format is recognised from the first lines: ` + strings.Join(accesslog.Names(), ", ") + `.
The website is found by the host that the log names; a log that names none needs --website.
Files may be compressed with gzip or zstd. ` + loadRules + `

A log may be loaded again and again while it grows, is rotated and compressed: every line
counts once. With --every, standard input is followed, and published at that pace.`,
		Args: someArgs("a file"),
		RunE: func(c *cobra.Command, files []string) (err error) {
			o.files = files
			if o.log.Format, err = logFormat(format, fields); err != nil {
				return err
			}
			if c.Flags().Changed("every") {
				return a.follow(c.Context(), o, every)
			}
			return a.runLoad(c.Context(), o)
		},
	}
	a.loadFlags(c, o)
	c.Flags().StringVar(&format, "format", "", "format of the log, if it is not to be recognised")
	c.Flags().StringVar(&fields, "fields", "", "file that says where in a JSON log of your own the fields are")
	c.Flags().StringVar(&o.log.Website, "website", "", "websiteId of all lines")
	c.Flags().DurationVar(&every, "every", 0, "follow standard input and publish at this pace, for example 30s")
	return c
}

// logFormat returns the format that the flags force, or nil.
func logFormat(format, fields string) (accesslog.Format, error) {
	switch {
	case format != "" && fields != "":
		return nil, usageError{fmt.Errorf("--format and --fields exclude each other")}
	case format != "":
		f, err := accesslog.ByName(format)
		if err != nil {
			return nil, usageError{err}
		}
		return f, nil
	case fields != "":
		in, err := os.Open(fields)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		f, err := accesslog.ParseFieldMap(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields, err)
		}
		return f, nil
	}
	return nil, nil
}
