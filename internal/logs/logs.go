// Package logs makes the log of a server: one line for each event, as text or
// JSON, and never a key in it, wherever it came from.
package logs

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
)

// Formats and Levels are what can be chosen, the default first.
var (
	Formats = []string{"text", "json"}
	Levels  = []string{"info", "debug", "warn", "error"}
)

// New makes a log. The error says which word is none.
func New(w io.Writer, format, level string) (*slog.Logger, error) {
	if !slices.Contains(Formats, format) {
		return nil, fmt.Errorf("--log-format must be one of %s", strings.Join(Formats, ", "))
	}
	if !slices.Contains(Levels, level) {
		return nil, fmt.Errorf("--log-level must be one of %s", strings.Join(Levels, ", "))
	}
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, err
	}
	options := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(discreet{slog.NewJSONHandler(w, options)}), nil
	}
	return slog.New(discreet{slog.NewTextHandler(w, options)}), nil
}

// key is what an API key looks like, or a good part of one.
var key = regexp.MustCompile(`sl_[0-9A-Za-z]{6,}`)

// hide leaves of a key what says that it was one.
func hide(text string) string {
	if !strings.Contains(text, "sl_") {
		return text
	}
	return key.ReplaceAllString(text, "sl_…")
}

// discreet is a handler that hides keys. Line ends are the inner handler's: both
// of slog's write them as escapes.
type discreet struct{ slog.Handler }

func (d discreet) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, hide(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(cleaned(a))
		return true
	})
	return d.Handler.Handle(ctx, clean)
}

func (d discreet) WithAttrs(attrs []slog.Attr) slog.Handler {
	all := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		all[i] = cleaned(a)
	}
	return discreet{d.Handler.WithAttrs(all)}
}

func (d discreet) WithGroup(name string) slog.Handler { return discreet{d.Handler.WithGroup(name)} }

// cleaned hides keys in a value, whatever it is made of.
func cleaned(a slog.Attr) slog.Attr {
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(hide(v.String()))
	case slog.KindGroup:
		group := slices.Clone(v.Group())
		for i := range group {
			group[i] = cleaned(group[i])
		}
		a.Value = slog.GroupValue(group...)
	case slog.KindAny:
		a.Value = slog.StringValue(hide(fmt.Sprint(v.Any())))
	default:
		a.Value = v
	}
	a.Key = hide(a.Key)
	return a
}
