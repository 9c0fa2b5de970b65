package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// sample is how many lines Detect looks at.
const sample = 50

// errCommon is about logs that cannot tell agents from people.
var errCommon = errors.New("this is the common log format, which has no user agent, so that agents cannot be told from people; " +
	"log the combined format from now on (nginx: access_log … combined; Apache: CustomLog … combined)")

// Detect finds the format of a log by its first lines. Garbage between them
// does no harm: the format that reads most of them is it.
func Detect(lines [][]byte) (Format, error) {
	entries := firstEntries(lines)
	if err := notText(entries); err != nil {
		return nil, err
	}
	if f, err := detectW3C(entries); f != nil || err != nil {
		return f, err
	}
	common := 0
	best, most := Format(nil), 0
	for _, f := range formats {
		n, bare := 0, 0
		if f.Layout() != nil {
			n, bare = readable(f, entries)
		}
		if n > most {
			best, most = f, n
		}
		common = max(common, bare)
	}
	switch {
	case best != nil:
		return best, nil
	case common > 0:
		return nil, errCommon
	}
	return detectJSON(entries)
}

// firstEntries are the entries to look at.
func firstEntries(lines [][]byte) (entries [][]byte) {
	for _, line := range lines[:min(len(lines), sample)] {
		for entry := range Entries(line) {
			if len(entries) == 2*sample {
				return entries
			}
			if len(bytes.TrimSpace(trimLine(entry))) > 0 {
				entries = append(entries, entry)
			}
		}
	}
	return entries
}

// readable counts the lines that a format reads, and those that lack nothing
// but what the common log format lacks.
func readable(f Format, entries [][]byte) (n, common int) {
	var h Hit
	combined, isCombined := f.(combinedFormat)
	for _, line := range entries {
		var skip *Skip
		switch err := f.Layout().Parse(line, &h); {
		case isCombined && looksVHost(line) != combined.vhost:
		case err == nil, isCombined && errors.As(err, &skip):
			n++
		case err == error(badNoUserAgent):
			common++
		}
	}
	return n, common
}

// detectW3C finds directives. One that cannot be used is an error.
func detectW3C(entries [][]byte) (Format, error) {
	directives := 0
	for _, line := range entries {
		l, directive, err := w3cFormat{}.Directive(line)
		switch {
		case err != nil:
			return nil, err
		case l != nil:
			return w3cFormat{}, nil
		case directive && bytes.HasPrefix(trimLine(line), []byte("#Version:")):
			directives++
		}
	}
	if directives > 0 {
		return nil, fmt.Errorf("this is a W3C log, but none of its first %d lines is \"#Fields: …\", which names its values", sample)
	}
	return nil, nil
}

// detectJSON looks at logs in JSON of which no line is a request: known by
// their keys, or unknown.
func detectJSON(entries [][]byte) (Format, error) {
	for _, f := range formats {
		known, ok := f.(jsonFormat)
		if !ok {
			continue
		}
		first, ok := recognised(known, entries)
		switch {
		case !ok:
		case first == nil:
			return f, nil
		default:
			return nil, fmt.Errorf("this looks like a log of %s, but it cannot be used (%w); to change that, %s",
				known.layout.source.title, first, known.layout.source.advice)
		}
	}
	return nil, unknown(entries)
}

// recognised says whether lines have a key that tells the source, and what is
// bad about the first that is.
func recognised(f jsonFormat, entries [][]byte) (first error, ok bool) {
	signs := newTree()
	for _, path := range f.layout.source.signs {
		steps, err := parsePath(path)
		if err != nil {
			return err, true
		}
		signs.add(steps)
	}
	for _, line := range entries {
		var picked [maxSlots]scalar
		s := scanner{data: trimLine(line), nginx: f.layout.source.nginx, picked: &picked}
		if !s.document(&signs.root) {
			continue
		}
		if !slices.ContainsFunc(picked[:], func(v scalar) bool { return v.kind != kindNone }) {
			continue
		}
		ok = true
		var h Hit
		var bad *Bad
		if errors.As(f.layout.Parse(line, &h), &bad) {
			return bad, true
		}
	}
	return nil, ok
}
