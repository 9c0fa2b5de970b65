package house

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const deploy = "../../deploy/"

// Variables that other programs and libraries read, and that the documents explain.
var foreign = []string{"PGPASSWORD", "POSTGRES_PASSWORD", "POSTGRES_USER"}

// passwords are what compose.yaml, the roles and the users call the two passwords.
var passwords = []string{"SIGHTLINE_PASSWORD", "SIGHTLINE_SERVE_PASSWORD"}

// sightline is the program as it is installed.
const sightline = "/usr/local/bin/sightline"

// helper tells what the program says of a command.
func helper(t *testing.T) func(args ...string) string {
	t.Helper()
	bin := program(t)
	return func(args ...string) string {
		t.Helper()
		out, err := exec.Command(bin, append(args, "--help")...).CombinedOutput()
		if err != nil {
			t.Errorf("sightline %s: %s", strings.Join(args, " "), out)
		}
		return string(out)
	}
}

// Every command, flag and variable in the files of deploy is one that the
// program has, and every path and port is the same in all of them.
func TestFilesOfDeploySayWhatTheProgramUnderstands(t *testing.T) {
	help := helper(t)
	everything := help() + help("serve") + help("load", "logs") + help("migrate")
	commands, variables := 0, 0
	for path, text := range deployed(t) {
		for _, words := range invocations(t, path, text) {
			commands++
			subcommand := words[:1]
			if len(words) > 1 && (words[0] == "load" || words[0] == "key") {
				subcommand = words[:2]
			}
			text := help(subcommand...)
			if !strings.Contains(text, "sightline "+strings.Join(subcommand, " ")+" ") {
				t.Errorf("%s: there is no command %q", path, subcommand)
			}
			for _, w := range words {
				if strings.HasPrefix(w, "--") && !strings.Contains(text, w+" ") {
					t.Errorf("%s: %s has no flag %s", path, subcommand, w)
				}
			}
		}
		for _, name := range regexp.MustCompile(`\b(SIGHTLINE|PG|POSTGRES)[A-Z_]*[A-Z]\b`).FindAllString(text, -1) {
			variables++
			flag := "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "SIGHTLINE_"), "_", "-")) + " "
			if !strings.Contains(everything, name) && !strings.Contains(everything, flag) && !slices.Contains(foreign, name) && !slices.Contains(passwords, name) {
				t.Errorf("%s: nobody reads the variable %s", path, name)
			}
		}
		for _, p := range regexp.MustCompile(`/(?:usr/local|opt|srv)/\S*sightline\b|/var/lib/sightline[^\s,:"\\}]*`).FindAllString(text, -1) {
			if p != sightline && p != "/var/lib/sightline" {
				t.Errorf("%s: another path is %s", path, p)
			}
		}
	}
	if commands < 6 || variables < 30 {
		t.Errorf("only %d commands and %d variables were found", commands, variables)
	}
}

// Ports are those on which Sightline, PostgreSQL and ClickHouse answer unless
// told otherwise, as the documents have them.
func TestPortsOfDeployAreInTheDocuments(t *testing.T) {
	known := string(read(t, "../../docs/scaling.md")) + helper(t)("serve")
	found := 0
	for path, text := range deployed(t) {
		for _, m := range regexp.MustCompile(`(?:[a-z0-9.]:|[pP]ort: |EXPOSE |127\.0\.0\.1/)(\d{4})\b`).FindAllStringSubmatch(text, -1) {
			found++
			if !regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(known) {
				t.Errorf("%s: nobody answers on %s", path, m[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d ports were found", found)
	}
}

// What was not run says so.
func TestFilesThatWereNotRunSaySo(t *testing.T) {
	for path, text := range deployed(t) {
		if base := filepath.Base(path); base == "Dockerfile" || strings.HasSuffix(base, ".yaml") {
			if !regexp.MustCompile(`(?i)\bnot (run|built)\b`).MatchString(text) {
				t.Errorf("%s does not say that it was not run", path)
			}
		}
	}
}

// deployed are the files of deploy that are about Sightline's own processes.
func deployed(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(deploy, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "grafana" || d.Name() == "lint" || d.Name() == "input") {
			return filepath.SkipDir
		}
		if !d.IsDir() && !strings.HasSuffix(path, ".md") && d.Name() != ".env" {
			all[path] = string(read(t, path))
		}
		return nil
	})
	if err != nil || len(all) < 12 {
		t.Fatalf("%d files: %v", len(all), err)
	}
	return all
}

// invocations are the commands that a file gives to the program: behind its path
// in a unit, behind the service's name in a comment, and as lists in YAML.
func invocations(t *testing.T, path, text string) (all [][]string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^(?:ExecStart=`+sightline+`|#   docker compose .* run --rm sightline) (.*)$`).FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Fields(m[1]))
	}
	for _, m := range regexp.MustCompile(`(?m)^(?:CMD|\s+(?:args|command):) (\[.*\])$`).FindAllStringSubmatch(text, -1) {
		var words []string
		if err := yaml.Unmarshal([]byte(m[1]), &words); err != nil {
			t.Errorf("%s: %s: %v", path, m[1], err)
			continue
		}
		all = append(all, words)
	}
	return all
}

// systemd finds nothing wrong with the units, and they may do little: a unit
// without any of these settings has an exposure of 9.
func TestUnitsAreSoundAndMayDoLittle(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		Skip(t, "needs systemd-analyze (Debian package systemd)")
	}
	names, err := filepath.Glob(deploy + "systemd/*")
	if err != nil || len(names) != 5 {
		t.Fatalf("%v %v", names, err)
	}
	dir := t.TempDir()
	for _, name := range names {
		// The program must be there to be verified; any will do.
		unit := strings.ReplaceAll(string(read(t, name)), sightline, "/bin/true")
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(unit), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		unit := filepath.Base(name)
		out, err := exec.Command(analyze, "verify", "--man=no", filepath.Join(dir, unit)).CombinedOutput()
		if err != nil || strings.Contains(string(out), unit) {
			t.Errorf("%s: %v\n%s", unit, err, out)
		}
		if filepath.Ext(unit) != ".service" {
			continue
		}
		if out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", "--no-pager", filepath.Join(dir, unit)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", unit, err, out)
		}
	}
}
