package logs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/logs"
)

const secret = "sl_AbCdEf0123456789AbCdEf0123456789AbCdEf"

func TestNoKeyGetsIntoALine(t *testing.T) {
	for _, format := range logs.Formats {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			log, err := logs.New(&out, format, "debug")
			if err != nil {
				t.Fatal(err)
			}
			log.Info("with "+secret, "text", secret, "error", errors.New("engine: "+secret), secret, 1)
			log.With("before", "x"+secret).WithGroup("g").Error("failed", slog.Group("inner", "deep", secret))
			slog.NewLogLogger(log.Handler(), slog.LevelDebug).Printf("http: panic serving: %s", secret)
			log.Info("any", "any", []string{secret}, "bytes", []byte(secret))
			if strings.Contains(out.String(), secret[:9]) {
				t.Error(out.String())
			}
			if n := strings.Count(out.String(), "\n"); n != 4 {
				t.Errorf("%d lines: %s", n, out.String())
			}
			if !strings.Contains(out.String(), "engine: sl_…") {
				t.Errorf("what was around the key is gone: %s", out.String())
			}
		})
	}
}

func TestNothingMakesASecondLine(t *testing.T) {
	for _, format := range logs.Formats {
		var out bytes.Buffer
		log, err := logs.New(&out, format, "info")
		if err != nil {
			t.Fatal(err)
		}
		for _, evil := range []string{"a\nlevel=ERROR msg=forged", "a\r\nb", "a\x1b[2Jb", "a\u2028b", "\x00"} {
			out.Reset()
			log.Info(evil, "value", evil, "error", errors.New(evil))
			line := strings.TrimSuffix(out.String(), "\n")
			if strings.ContainsAny(line, "\n\r\x1b\u2028\x00") {
				t.Errorf("%s: %q", format, line)
			}
			var parsed map[string]any
			if format == "json" && json.Unmarshal([]byte(line), &parsed) != nil {
				t.Errorf("not JSON: %s", line)
			}
		}
	}
}

func TestFormatsAndLevelsThatAreNone(t *testing.T) {
	for _, c := range [][2]string{{"xml", "info"}, {"text", "loud"}, {"", "info"}, {"JSON", "info"}} {
		if _, err := logs.New(&bytes.Buffer{}, c[0], c[1]); err == nil {
			t.Errorf("%q was taken", c)
		}
	}
	var out bytes.Buffer
	log, err := logs.New(&out, "text", "warn")
	if err != nil {
		t.Fatal(err)
	}
	log.Info("quiet")
	if log.Warn("loud"); !strings.Contains(out.String(), "loud") || strings.Contains(out.String(), "quiet") {
		t.Error(out.String())
	}
}
