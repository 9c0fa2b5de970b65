package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// measured is what a run of a program took.
type measured struct {
	took   time.Duration
	memory int64 // at most, in bytes
}

func measure(cmd *exec.Cmd) (measured, []byte, error) {
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	started := time.Now()
	err := cmd.Run()
	took := time.Since(started)
	if err != nil {
		return measured{}, nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, errOut.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return measured{took, usage.Maxrss * 1024}, out.Bytes(), nil
}

func goaccess(dir, log string) (measured, error) {
	m, _, err := measure(exec.Command("goaccess", log, "--log-format=COMBINED", "--no-progress", "-o", filepath.Join(dir, "goaccess.json")))
	return m, err
}

const workspace = `
teams: [{id: acme, name: Acme}]
products:
  - id: 101
    team: acme
    name: Acme
    website: https://acme.com
    domain: acme.com
    websites: [{websiteId: w-acme, domain: acme.com}]
`

var published = regexp.MustCompile(`(?m)^visits +(\d+) `)

// load loads a log into a new data directory, and checks what the API counts.
func load(o options, log string) (measured, error) {
	data := filepath.Join(o.dir, "data")
	if err := os.RemoveAll(data); err != nil {
		return measured{}, err
	}
	file := filepath.Join(o.dir, "workspace.yaml")
	if err := os.WriteFile(file, []byte(workspace), 0o600); err != nil {
		return measured{}, err
	}
	sightline := func(args ...string) *exec.Cmd { return exec.Command(o.sightline, append(args, "--data", data)...) }
	if _, _, err := measure(sightline("apply", file)); err != nil {
		return measured{}, err
	}
	m, out, err := measure(sightline("load", "logs", log))
	if err != nil {
		return m, err
	}
	found := published.FindSubmatch(out)
	if found == nil {
		return m, fmt.Errorf("the load does not say how many visits it published:\n%s", out)
	}
	want, _ := strconv.Atoi(string(found[1]))
	_, key, err := measure(sightline("key", "create", "--team", "acme"))
	if err != nil {
		return m, err
	}
	got, err := count(sightline, strings.TrimSpace(string(key)))
	if err == nil && got != want {
		err = fmt.Errorf("the API counts %d visits, the load %d", got, want)
	}
	return m, err
}

// count starts a server and asks it for all visits.
func count(sightline func(args ...string) *exec.Cmd, key string) (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	address := l.Addr().String()
	l.Close()
	server := sightline("serve", "--listen", address)
	if err := server.Start(); err != nil {
		return 0, err
	}
	defer func() { server.Process.Signal(os.Interrupt); server.Wait() }()
	request, err := http.NewRequest("GET", "http://"+address+"/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z"+
		"&dateTo=2026-12-31T23:59:59Z&interval=week&metrics[]=bot_visits&metrics[]=human_visits&perPage=100", nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	var response *http.Response
	for range 200 {
		if response, err = http.DefaultClient.Do(request); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %d: %s %w", response.StatusCode, body, err)
	}
	var answer struct {
		Items []struct{ BotVisits, HumanVisits int }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return 0, err
	}
	total := 0
	for _, i := range answer.Items {
		total += i.BotVisits + i.HumanVisits
	}
	return total, nil
}
