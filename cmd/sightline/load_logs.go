package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/accesslog"
	"github.com/sightline-hq/sightline/internal/ingest"
)

func (a *app) loadLogs() *cobra.Command {
	var format, fields string
	c := a.loadSource("logs FILE…", "Load access logs of web servers and CDNs", ingest.Logs)
	o := loadOptions{source: ingest.Logs, stdin: a.stdin}
	c.Long += `

The format is recognised from the first lines: ` + strings.Join(accesslog.Names(), ", ") + `.
The website is found by the host that the log names; a log that names none needs --website.`
	c.RunE = func(c *cobra.Command, files []string) error {
		o.files = files
		var err error
		if o.log.Format, err = logFormat(format, fields); err != nil {
			return err
		}
		o.dryRun, err = c.Flags().GetBool("dry-run")
		if err != nil {
			return err
		}
		return a.runLoad(c.Context(), o)
	}
	c.Flags().StringVar(&format, "format", "", "format of the log, if it is not to be recognised")
	c.Flags().StringVar(&fields, "fields", "", "file that says where in a JSON log of your own the fields are")
	c.Flags().StringVar(&o.log.Website, "website", "", "websiteId of all lines")
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
