package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// A data directory of every format that was ever released is kept in
// testdata/formats, by the number of the format of its facts: N.tar.gz with the
// directory and N.golden with questions and answers. It must open for ever.
// 'make fixture' writes the one of today's format.

const (
	formats      = "testdata/formats"
	todaysFormat = "6.tar.gz"
)

const formatWorkspace = `
teams: [{id: acme, name: Acme}]
products:
  - id: 101
    team: acme
    name: Acme Rocket
    website: https://www.acme.com
    domain: acme.com
    competitors: [201]
    websites: [{websiteId: w-acme, domain: acme.com}, {websiteId: w-shop, domain: shop.example}]
    labels: [{id: 1, name: brand}]
    prompts:
      - {id: 11, text: best rocket, platforms: [openai, gemini], labels: [1]}
      - {id: 12, text: cheap rocket, platforms: [openai]}
  - {id: 201, name: Zoom Rockets, website: https://zoomrockets.example, domain: zoomrockets.example}
`

// formatQuestions ask for everything, over March 2026.
func formatQuestions() (all []string) {
	const window = "dateFrom=2026-03-01T00:00:00Z&dateTo=2026-03-31T23:59:59Z"
	for _, path := range []string{"prompts?", "prompts?labelIds[]=1&", "prompts/summary?", "prompts/dates?platforms[]=openai&", "citations?"} {
		all = append(all, "/v1/products/101/"+path+"domain=acme.com&"+window)
	}
	const metrics = "metrics[]=bot_visits&metrics[]=human_visits&metrics[]=referred_human_visits&metrics[]=ai_referred_human_visits" +
		"&metrics[]=unique_human_visitors&metrics[]=unique_pages&metrics[]=unique_human_pages&metrics[]=unique_human_platforms&metrics[]=bot_user_agents"
	for _, query := range []string{"interval=week", "interval=day", "groupBy[]=platform&groupBy[]=botType", "groupBy[]=urlPath&topLimit=3", "websiteId=w-shop",
		"interval=week&groupBy[]=urlPathDirectory&websiteId=w-acme"} {
		all = append(all, "/v1/products/101/analytics/timeseries?perPage=200&"+metrics+"&"+query+"&"+window)
	}
	return append(all, "/v1/products", "/v1/products/101/websites")
}

func formatVisit(i int) string {
	agents := []string{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", "curl/8.5.0"}
	at := time.Date(2026, 3, 2+i%14, i%24, i%60, 0, 0, time.UTC)
	return fmt.Sprintf(`{"at":%q,"websiteId":%q,"url":"https://acme.com/p%d/","userAgent":%q,"referrer":%q,"ip":"203.0.113.%d"}`,
		at.Format(time.RFC3339), []string{"w-acme", "w-shop"}[i%2], i%7, agents[i%3], []string{"", "https://chatgpt.com/"}[i/3%2], i%9)
}

func formatAnswer(i int) string {
	at := time.Date(2026, 3, 2+i%14, 9, i%60, 0, 0, time.UTC)
	mentions := []string{`[]`, `[{"productId":101,"position":1}]`, `[{"productId":201,"position":1},{"productId":101,"position":2}]`}[i%3]
	return fmt.Sprintf(`{"id":"a-%d","promptId":%d,"platform":%q,"at":%q,"mentions":%s,"citations":["https://example.com/%d","https://acme.com/"]}`,
		i, 11+i%2, []string{"openai", "gemini"}[i/2%2], at.Format(time.RFC3339), mentions, i%5)
}

// answersTo asks the questions of a server, and writes them down with the answers.
func answersTo(p *program) string {
	p.t.Helper()
	var text strings.Builder
	for _, q := range formatQuestions() {
		fmt.Fprintf(&text, "GET %s\n%s\n", q, must2(p.get(q))(p.t))
	}
	return text.String()
}

func TestMakeTheFixtureOfTodaysFormat(t *testing.T) {
	number := os.Getenv("SIGHTLINE_FIXTURE")
	if number == "" {
		t.Skip("make fixture runs it")
	}
	p := newProgramOn(t, filepath.Join(t.TempDir(), "data"), formatWorkspace)
	p.run("load", "pageviews", write(t, "v.ndjson", 120, formatVisit))
	p.run("load", "answers", write(t, "a.ndjson", 90, formatAnswer))
	p.serve()
	golden := answersTo(p)
	p.stop()
	if err := os.MkdirAll(formats, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(formats, number+".golden"), []byte(golden), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(formats, number+".tar.gz"), pack(t, p.data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func pack(t *testing.T, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		w := tar.NewWriter(z)
		err = errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), z.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func unpack(t *testing.T, archive string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	file := must2(os.Open(archive))(t)
	defer file.Close()
	r := tar.NewReader(must2(gzip.NewReader(file))(t))
	for {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(head.Name))
		if head.FileInfo().IsDir() {
			err = os.MkdirAll(path, 0o750)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o750); err == nil {
			err = os.WriteFile(path, must2(io.ReadAll(r))(t), head.FileInfo().Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDirectoriesOfAllFormatsOpenForEver(t *testing.T) {
	archives := must2(filepath.Glob(filepath.Join(formats, "*.tar.gz")))(t)
	if len(archives) == 0 {
		t.Fatal("there is none: run make fixture")
	}
	for _, archive := range archives {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			golden := string(must2(os.ReadFile(strings.TrimSuffix(archive, ".tar.gz") + ".golden"))(t))
			p := open(t, unpack(t, archive))
			must(t, "--data", p.data, "verify")
			p.serve()
			if got := answersTo(p); got != golden {
				t.Errorf("it answers\n%s\nwant\n%s", got, golden)
			}
			// It is loaded into, which leaves what was there as it was.
			april := func(line string) string { return strings.ReplaceAll(line, "2026-03-", "2026-04-") }
			said := p.run("load", "pageviews", write(t, "v.ndjson", 120, formatVisit))
			if !strings.Contains(said, "was loaded before") {
				t.Errorf("an input is not known any more: %s", said)
			}
			p.run("load", "pageviews", write(t, "more.ndjson", 10, func(i int) string { return april(formatVisit(i)) }))
			p.run("load", "answers", write(t, "more.ndjson", 10, func(i int) string {
				return strings.Replace(april(formatAnswer(i)), `"a-`, `"b-`, 1)
			}))
			p.wait("2", `"timestamp":"2026-03-30T00:00:00Z"`)
			if got := answersTo(p); got != golden {
				t.Errorf("after a load it answers\n%s\nwant\n%s", got, golden)
			}
			must(t, "--data", p.data, "verify")
			renewed := p.run("migrate")
			if outdated := !strings.Contains(archive, todaysFormat); strings.Contains(renewed, "Written anew") != outdated {
				t.Errorf("files written anew: want %v\n%s", outdated, renewed)
			}
			if said := p.run("migrate"); strings.Contains(said, "anew") {
				t.Errorf("and again: %s", said)
			}
			must(t, "--data", p.data, "verify")
			p.stop()
			p.serve()
			if got := answersTo(p); got != golden {
				t.Errorf("written anew it answers\n%s\nwant\n%s", got, golden)
			}
			saved, healed := filepath.Join(t.TempDir(), "saved"), filepath.Join(t.TempDir(), "healed")
			must(t, "--data", p.data, "backup", saved)
			must(t, "--data", healed, "restore", saved)
			must(t, "--data", healed, "verify")
		})
	}
}

// open is a program on a data directory that is there, with a new key.
func open(t *testing.T, data string) *program {
	t.Helper()
	p := newProgramOn(t, filepath.Join(t.TempDir(), "other"), formatWorkspace)
	p.data = data
	p.key = strings.TrimSpace(p.run("key", "create", "--team", "acme"))
	return p
}

func TestANewerDirectoryIsRefusedWithAClearMessage(t *testing.T) {
	for _, c := range []struct{ file, raise, want string }{
		{"facts/manifest.db", "pragma user_version = 999", "has format 999, this sightline knows up to"},
		{"catalog.db", "update meta set schema_version = 999", "has schema 999, this sightline knows up to"},
	} {
		t.Run(c.file, func(t *testing.T) {
			p := newProgram(t, filepath.Join(t.TempDir(), "data"))
			p.run("load", "pageviews", write(t, "v.ndjson", 3, diskVisit))
			db := must2(sql.Open("sqlite", filepath.Join(p.data, c.file)))(t)
			if _, err := db.Exec(c.raise); err != nil {
				t.Fatal(err)
			}
			db.Close()
			for _, args := range [][]string{
				{"serve", "--listen", "127.0.0.1:0"}, {"status"}, {"verify"}, {"backup", filepath.Join(t.TempDir(), "saved")},
				{"load", "pageviews", write(t, "w.ndjson", 4, diskVisit)},
			} {
				said, code := sightline(append([]string{"--data", p.data}, args...)...)
				if code != exitFailed || !strings.Contains(said, c.want) || !strings.Contains(said, "use the newer sightline that wrote it") {
					t.Errorf("%s: %d %s", args[0], code, said)
				}
			}
		})
	}
}
