package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
	"github.com/sightline-hq/sightline/internal/house"
	"github.com/sightline-hq/sightline/internal/postgres/pgtest"
)

const deploy = "../../deploy/"

// What is awkward in SQL and in a shell. ClickHouse reads the variables as XML.
const (
	ownerPassword = `o'w"n$er \ %`
	servePassword = `s'erve; --`
)

func deployPasswords(t *testing.T) {
	t.Setenv("SIGHTLINE_PASSWORD", ownerPassword)
	t.Setenv("SIGHTLINE_SERVE_PASSWORD", servePassword)
}

// The roles and users of deploy are enough for what Sightline does with them,
// and serve's cannot write.
func TestRolesAndUsersOfDeploy(t *testing.T) {
	if _, err := exec.LookPath("psql"); err != nil {
		house.Skip(t, "needs psql (Debian package postgresql)")
	}
	deployPasswords(t)
	databases := pgtest.Own(t)
	roles := exec.Command("bash", deploy+"postgres/roles.sh")
	roles.Env = append(os.Environ(), "PGHOST=127.0.0.1", fmt.Sprint("PGPORT=", databases.Port), "PGPASSWORD="+pgtest.Password)
	if out, err := roles.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := clickhousetest.Start(t, 1).Servers[0]
	users, err := os.ReadFile(deploy + "clickhouse/users.xml")
	if err != nil {
		t.Fatal(err)
	}
	server.Users(users)
	environment := func(role, password string) []string {
		return []string{
			"SIGHTLINE_CATALOG=" + databases.As(role, "", "sightline"), "PGPASSWORD=" + password,
			"SIGHTLINE_FACTS=" + strings.Replace(server.URL("sightline"), "default@", role+"@", 1), "SIGHTLINE_CLICKHOUSE_PASSWORD=" + password,
		}
	}
	owner := newProgramOn(t, t.TempDir(), killWorkspace, environment("sightline", ownerPassword)...)
	owner.run("migrate")
	owner.run("load", "pageviews", killVisits(t, 0))
	owner.run("load", "answers", killAnswers(t, 0))
	admin, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	serves := append(environment("sightline_serve", servePassword), fmt.Sprintf("SIGHTLINE_ADMIN=127.0.0.1:%d", admin))
	reader := &program{t: t, data: owner.data, env: serves, key: owner.key, client: owner.client}
	expectAll(t, reader.run("status"), "visits", "3000", "1500")
	expectAll(t, reader.fail("load", "pageviews", killVisits(t, 1)), "readonly")
	expectAll(t, reader.fail("key", "create", "--team", "acme"), "sightline")
	reader.serve()
	for _, ask := range []func() (string, error){reader.visits, reader.runs, reader.products} {
		if answer, err := ask(); err != nil || len(answer) < 100 {
			t.Errorf("%s %v", answer, err)
		}
	}
	for _, statement := range []string{"drop table sightline.visits", "insert into sightline.migrations (number) values (9)", "create database other", "set readonly = 0"} {
		if err := server.TryAs("sightline_serve", servePassword, statement); err == nil || !strings.Contains(err.Error(), "readonly") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	pgtest.Run(t, databases.As("sightline_serve", servePassword, "sightline"), "select count(*) from teams")
	healthy(t, reader, admin)
}

// The health check of compose.yaml says what it should of a server.
func healthy(t *testing.T, p *program, admin int) {
	t.Helper()
	text, err := os.ReadFile(deploy + "compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct {
			Healthcheck struct{ Test []string }
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	test := file.Services["serve"].Healthcheck.Test
	if len(test) != 4 || test[0] != "CMD" {
		t.Fatalf("%q", test)
	}
	script := strings.ReplaceAll(strings.ReplaceAll(test[3], "$$", "$"), "/9081", fmt.Sprint("/", admin))
	check := func(script string) error { return exec.Command(test[1], test[2], script).Run() }
	if err := check(script); err != nil {
		t.Errorf("a server that runs is not healthy: %v\n%s", err, script)
	}
	if check(strings.ReplaceAll(script, "/readyz", "/nowhere")) == nil {
		t.Error("a 404 is healthy")
	}
	p.stop()
	if check(script) == nil {
		t.Error("a server that has stopped is healthy")
	}
}

// What the unit of the nightly backup runs makes a backup and reads it, the first
// night and every other.
func TestTheNightlyBackupRuns(t *testing.T) {
	unit, err := os.ReadFile(deploy + "systemd/sightline-backup.service")
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(t, t.TempDir())
	p.run("load", "pageviews", write(t, "v.ndjson", 3, diskVisit))
	saved := t.TempDir()
	for night, want := range []string{"the rest was there", "0 files copied"} {
		var said string
		for line := range strings.Lines(string(unit)) {
			if command, ok := strings.CutPrefix(line, "ExecStart=/usr/local/bin/sightline "); ok {
				said += p.run(strings.Fields(strings.ReplaceAll(command, "/var/backups/sightline", saved))...)
			}
		}
		if !strings.Contains(said, want) || !strings.Contains(said, "All is well.") {
			t.Errorf("night %d: %s", night+1, said)
		}
	}
}
