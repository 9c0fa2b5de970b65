package accesslog

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
	"unsafe"
)

// within says whether part lies in whole's memory.
func within(part, whole []byte) bool {
	if len(part) == 0 {
		return true
	}
	start, end := uintptr(unsafe.Pointer(unsafe.SliceData(part))), uintptr(len(part))
	first := uintptr(unsafe.Pointer(unsafe.SliceData(whole)))
	return start >= first && start+end <= first+uintptr(cap(whole))
}

// holds parses a line and checks what is true of every verdict.
func holds(t *testing.T, l Layout, line []byte) error {
	t.Helper()
	before := bytes.Clone(line)
	h := Hit{scratch: make([]byte, 0, 5*len(line)+64)} // so that it does not grow, and slices stay in it
	err := l.Parse(line, &h)
	if !bytes.Equal(line, before) {
		t.Fatalf("the line %q became %q", before, line)
	}
	var skip *Skip
	var bad *Bad
	switch {
	case errors.As(err, &skip) && skip.Reason != "", errors.As(err, &bad) && bad.Reason != "":
		return err
	case err != nil:
		t.Fatalf("the verdict on %q is %v", line, err)
	}
	if h.Status < 100 || h.Status > 599 || h.Second < 0 || h.Second > maxSecond || len(h.Method) == 0 || len(h.Target) == 0 {
		t.Fatalf("%q gives %+v", line, eventOf(&h))
	}
	if !utf8.Valid(h.Target) || bytes.ContainsFunc(h.Target, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Fatalf("%q gives the target %q", line, h.Target)
	}
	for _, part := range [][]byte{h.Host, h.Method, h.Target, h.UserAgent, h.Referrer, h.IP, h.ID} {
		if len(line) < maxScratch/4 && !within(part, line) && !within(part, h.scratch) && !within(part, get) {
			t.Fatalf("%q gives %q, which is elsewhere", line, part)
		}
	}
	used := Hit{}
	for range 2 {
		if err := l.Parse(line, &used); err != nil || eventOf(&used) != eventOf(&h) {
			t.Fatalf("%q gives %+v, then %+v: %v", line, eventOf(&h), eventOf(&used), err)
		}
	}
	return nil
}

func addLines(f *testing.F, files ...string) {
	for _, file := range files {
		for _, line := range readLines(f, file) {
			f.Add(line)
		}
	}
}

func FuzzCombined(f *testing.F) {
	addLines(f, "combined.log", "vhost-combined.log", "common.log")
	f.Fuzz(func(t *testing.T, line []byte) {
		plain := holds(t, combinedFormat{}, line)
		vhost := holds(t, combinedFormat{vhost: true}, line)
		if plain != nil && vhost == nil {
			t.Fatalf("%q is vhost-combined, but not combined: %v", line, plain)
		}
		looksVHost(line)
	})
}

func FuzzW3C(f *testing.F) {
	for _, file := range []string{"iis.log", "cloudfront.log"} {
		fields := ""
		for _, line := range readLines(f, file) {
			if names, ok := strings.CutPrefix(string(line), "#Fields: "); ok {
				fields = names
			}
			f.Add(fields, line)
		}
	}
	f.Add(iisFields, []byte(`2026-03-02 09:15:00 GET / - 192.0.2.1 "a ""b"" c" "-" 200`))
	f.Fuzz(func(t *testing.T, fields string, line []byte) {
		l, directive, err := w3cFormat{}.Directive([]byte("#Fields:" + fields))
		if !directive || (l == nil) == (err == nil) {
			t.Fatalf("#Fields:%q gives %v, %v, %v", fields, l, directive, err)
		}
		if l != nil {
			holds(t, l, line)
		}
	})
}

// shallow says whether brackets cannot nest more deeply than we allow.
func shallow(line []byte) bool {
	return bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) <= maxDepth
}

func FuzzJSON(f *testing.F) {
	addLines(f, "caddy.ndjson", "cloudflare.ndjson", "vercel.ndjson", "netlify.ndjson", "traefik.ndjson", "nginx.ndjson")
	f.Fuzz(func(t *testing.T, line []byte) {
		object := len(bytes.TrimLeft(trimLine(line), " \t\r\n")) > 0 && bytes.TrimLeft(trimLine(line), " \t\r\n")[0] == '{'
		sound := json.Valid(trimLine(line)) && object
		for i := range sources {
			format, err := ByName(sources[i].name)
			if err != nil {
				t.Fatal(err)
			}
			err = holds(t, format.Layout(), line)
			var bad *Bad
			invalid := errors.As(err, &bad) && bad.Reason == "invalid JSON"
			if !sources[i].nginx && err != error(skipEmpty) && invalid == sound && shallow(line) {
				t.Fatalf("%s: %q is %v; the library says %v", sources[i].name, line, err, sound)
			}
		}
		total := 0
		for entry := range Entries(line) {
			total += len(entry)
			if !within(entry, line) {
				t.Fatalf("%q has the entry %q, which is elsewhere", line, entry)
			}
		}
		if total > len(line) {
			t.Fatalf("%q has entries of %d bytes", line, total)
		}
	})
}

func FuzzFieldMap(f *testing.F) {
	fields := string(bytes.Join(readLines(f, "fields.map.json"), []byte("\n")))
	for _, line := range readLines(f, "fields.ndjson") {
		f.Add(fields, line)
	}
	f.Add(`{"time":"a\\.b[0].c","target":"a\\.b","userAgent":"x.User-Agent"}`, []byte(`{"a.b":[{"c":1772442900}],"x":{}}`))
	f.Fuzz(func(t *testing.T, fields string, line []byte) {
		format, err := ParseFieldMap(strings.NewReader(fields))
		if (format == nil) == (err == nil) {
			t.Fatalf("%q gives %v, %v", fields, format, err)
		}
		if format != nil {
			holds(t, format.Layout(), line)
		}
	})
}

func FuzzDetect(f *testing.F) {
	for _, fixture := range fixtures {
		lines := readLines(f, fixture.file)
		f.Add(bytes.Join(lines[:min(len(lines), 5)], []byte("\n")))
	}
	f.Add([]byte("\xFF\xFE1\x00"))
	f.Add([]byte("#Version: 1.0\n#Fields: " + iisFields))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := bytes.Split(text, []byte("\n"))
		format, err := Detect(lines)
		if (format == nil) == (err == nil) {
			t.Fatalf("%q is %v, %v", text, format, err)
		}
		if format == nil {
			return
		}
		layout := format.Layout()
		read := 0
		for _, line := range lines {
			if l, _, _ := format.Directive(line); l != nil {
				layout = l
				read++
			}
			for entry := range Entries(line) {
				var bad *Bad
				if layout != nil && !errors.As(holds(t, layout, entry), &bad) {
					read++
				}
			}
		}
		if read == 0 {
			t.Fatalf("%q is detected as %s, which reads nothing of it", text, format.Name())
		}
	})
}

// Lines made to be slow take time in proportion to their length.
func TestCraftedLinesAreReadInLinearTime(t *testing.T) {
	const size = 1 << 20
	layouts := []Layout{combinedFormat{}, combinedFormat{vhost: true}, w3c(t, iisFields), w3c(t, cloudFrontFields), formatOf(t, "fields").Layout()}
	for i := range sources {
		layouts = append(layouts, byName(t, sources[i].name))
	}
	for _, piece := range []string{
		"[", "[02/Mar/2026:09:15:00 +0000]", `"`, `\`, `\"`, `" `, " ", "\t", "%25", "%2525", "+", `\x41`, "{", `{"a":`, `{"request":[`, `{"ts":["`, ",", ":", "://",
	} {
		for _, around := range [][2]string{
			{"", ""}, {`{"ts":"`, `"}`}, {`192.0.2.1 - - [02/Mar/2026:09:15:00 +0000] "GET /`, ` HTTP/1.1" 200 5 "-" "x"`},
			{"2026-03-02 09:15:00 GET / - 192.0.2.1 ", " - 200"},
		} {
			line := []byte(around[0] + strings.Repeat(piece, size/len(piece)) + around[1])
			start := time.Now()
			for _, l := range layouts {
				var h Hit
				_ = l.Parse(line, &h)
			}
			for range Entries(line) {
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("%d bytes of %q took %v", len(line), piece, d)
			}
		}
	}
}
