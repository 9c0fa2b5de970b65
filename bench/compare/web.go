package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/bench/compare/questions"
	"github.com/sightline-hq/sightline/bench/compare/rate"
	"github.com/sightline-hq/sightline/bench/compare/report"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

const (
	webRate        = 15_000 // requests a second that are promised
	webConnections = 32
	mixConnections = 4
)

// measureWeb measures how many requests a second are answered.
func (b *bench) measureWeb(ctx context.Context) error {
	all, err := questions.All()
	if err != nil {
		return err
	}
	b.results.Web, b.results.Paced = nil, nil
	if err := b.remembered(ctx, escape(all[0].Request)); err != nil {
		return err
	}
	return b.mix(ctx, all)
}

// escape writes a request as clients send it.
func escape(request string) string {
	return strings.NewReplacer("[", url.QueryEscape("["), "]", url.QueryEscape("]")).Replace(request)
}

// remembered asks for an answer that is remembered, and for one that the caller has.
func (b *bench) remembered(ctx context.Context, request string) (err error) {
	server, err := b.serve(ctx, b.sightline())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	answer, err := server.Ask(ctx, request)
	if err != nil {
		return err
	}
	for _, c := range []struct{ what, header string }{{"a remembered answer", ""}, {"not modified (304)", "If-None-Match: " + answer.Tag}} {
		w, err := b.wrk(ctx, server, webConnections, request, c.header, "")
		if err != nil {
			return err
		}
		w.What, w.AtLeast = c.what, webRate
		b.results.Web = append(b.results.Web, w)
		say("%s: %.0f requests a second", w.What, w.PerSecond)
		wire := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", request, server.Address, server.Key)
		if c.header != "" {
			wire += c.header + "\r\n"
		}
		paced, err := rate.Run(ctx, server.Address, []byte(wire+"\r\n"), webRate/2, webConnections, time.Duration(b.wrkSeconds)*time.Second)
		if err != nil {
			return err
		}
		b.results.Paced = append(b.results.Paced, report.Paced{What: c.what, Outcome: paced})
	}
	b.results.Peaks["remembered"], err = server.Peak()
	return err
}

// mix asks all questions in turns, with nothing remembered.
func (b *bench) mix(ctx context.Context, all []*questions.Question) (err error) {
	server, err := b.serve(ctx, b.sightline(), "--no-cache")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	var script strings.Builder
	script.WriteString("local paths = {\n")
	for _, q := range all {
		fmt.Fprintf(&script, "  %q,\n", escape(q.Request))
	}
	script.WriteString("}\nlocal n = 0\nfunction request()\n  n = n % #paths + 1\n  return wrk.format(\"GET\", paths[n])\nend\n")
	file := filepath.Join(b.root, "mix.lua")
	if err := os.WriteFile(file, []byte(script.String()), 0o644); err != nil {
		return err
	}
	w, err := b.wrk(ctx, server, mixConnections, "/", "", file)
	if err != nil {
		return err
	}
	w.What = fmt.Sprintf("all %d questions in turns, none remembered", len(all))
	b.results.Web = append(b.results.Web, w)
	b.results.Peaks["mix"], err = server.Peak()
	return err
}

// wrk runs wrk with one thread.
func (b *bench) wrk(ctx context.Context, server *sightline.Server, connections int, request, header, script string) (report.Web, error) {
	args := []string{"-t1", fmt.Sprintf("-c%d", connections), fmt.Sprintf("-d%ds", b.wrkSeconds), "--timeout", "30s", "--latency", "-H", "Authorization: Bearer " + server.Key}
	if header != "" {
		args = append(args, "-H", header)
	}
	if script != "" {
		args = append(args, "-s", script)
	}
	out, err := exec.CommandContext(ctx, "wrk", append(args, "http://"+server.Address+request)...).CombinedOutput()
	if err != nil {
		return report.Web{}, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	w, err := parseWrk(string(out))
	w.Seconds, w.Conn = b.wrkSeconds, connections
	return w, err
}

var (
	wrkRate = regexp.MustCompile(`Requests/sec: +([\d.]+)`)
	wrkP50  = regexp.MustCompile(`(?m)^ +50% +([\d.]+)(us|ms|s)`)
	wrkP99  = regexp.MustCompile(`(?m)^ +99% +([\d.]+)(us|ms|s)`)
	wrkBad  = regexp.MustCompile(`Non-2xx or 3xx responses: .*|Socket errors: .*`)
)

// parseWrk reads what wrk prints. Answers that are errors are no result.
func parseWrk(out string) (w report.Web, err error) {
	if bad := wrkBad.FindString(out); bad != "" {
		return w, fmt.Errorf("wrk: %s", bad)
	}
	number := func(m []string) float64 {
		if m == nil {
			err = fmt.Errorf("wrk says something unexpected:\n%s", out)
			return 0
		}
		n, parseErr := strconv.ParseFloat(m[1], 64)
		if parseErr != nil {
			err = parseErr
		}
		if len(m) > 2 {
			n *= map[string]float64{"us": 0.001, "ms": 1, "s": 1000}[m[2]]
		}
		return n
	}
	w.PerSecond = number(wrkRate.FindStringSubmatch(out))
	w.P50, w.P99 = number(wrkP50.FindStringSubmatch(out)), number(wrkP99.FindStringSubmatch(out))
	return w, err
}
