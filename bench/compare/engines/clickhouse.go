package engines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/sightline-hq/sightline/bench/compare/data"
)

// clickhouse is Debian's server, asked over HTTP.
type clickhouse struct {
	server  *exec.Cmd
	address string
	native  string // port
	closed  bool
}

const clickhouseConfig = `<yandex>
  <logger><level>warning</level><log>%[1]s/server.log</log><errorlog>%[1]s/error.log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>%[2]s</http_port>
  <tcp_port>%[3]s</tcp_port>
  <path>%[1]s/store/</path>
  <tmp_path>%[1]s/tmp/</tmp_path>
  <user_files_path>%[1]s/files/</user_files_path>
  <users_config>%[1]s/config.xml</users_config>
  <mark_cache_size>1073741824</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <default_profile>default</default_profile>
  <profiles><default><max_memory_usage>10000000000</max_memory_usage></default></profiles>
  <quotas><default></default></quotas>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
</yandex>
`

func openClickHouse(ctx context.Context, folder string) (Engine, error) {
	program, err := exec.LookPath("clickhouse-server")
	if err != nil {
		if program = "/usr/sbin/clickhouse-server"; !exists(program) {
			return nil, errors.New("the ClickHouse server is not installed (apt-get install clickhouse-server)")
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	port, native := freePort(), freePort()
	config := filepath.Join(folder, "config.xml")
	if err := os.WriteFile(config, fmt.Appendf(nil, clickhouseConfig, folder, port, native), 0o644); err != nil {
		return nil, err
	}
	c := &clickhouse{server: exec.Command(program, "--config-file", config), address: "http://127.0.0.1:" + port + "/", native: native}
	if err := background(c.server, filepath.Join(folder, "start.log"), nil); err != nil {
		return nil, err
	}
	if err := patiently(ctx, func() error { return c.Exec(ctx, "select 1") }); err != nil {
		return nil, errors.Join(fmt.Errorf("ClickHouse does not answer: %w", err), c.Close())
	}
	return c, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (c *clickhouse) Dialect() Dialect { return Old }

// Facts implements Keeper.
func (c *clickhouse) Facts(database string) string {
	web := strings.TrimSuffix(strings.TrimPrefix(c.address, "http://"), "/")
	return fmt.Sprintf("clickhouse://default@127.0.0.1:%s/%s?http=%s", c.native, database, web)
}

func (c *clickhouse) Version(ctx context.Context) (string, error) { return versionOf(ctx, c) }

func versionOf(ctx context.Context, e Engine) (string, error) {
	rows, err := e.Ask(ctx, "select version()")
	if err != nil {
		return "", err
	}
	return rows.Values[0][0], nil
}

// send posts a query, and what is to be inserted.
func (c *clickhouse) send(ctx context.Context, query string, body io.Reader) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address+"?"+url.Values{"query": {query}}.Encode(), body)
	if body == nil {
		request, err = http.NewRequestWithContext(ctx, http.MethodPost, c.address, strings.NewReader(query))
	}
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("ClickHouse: %s", text)
	}
	return text, err
}

func (c *clickhouse) Exec(ctx context.Context, text string) error {
	for _, s := range statements(text) {
		if _, err := c.send(ctx, s, nil); err != nil {
			return err
		}
	}
	return nil
}

func (c *clickhouse) Insert(ctx context.Context, table data.Table, rows func(io.Writer) error) error {
	in, out := io.Pipe()
	go func() { out.CloseWithError(rows(out)) }()
	_, err := c.send(ctx, fmt.Sprintf("insert into %s format TabSeparated", table), in)
	in.CloseWithError(errors.New("ClickHouse has stopped reading"))
	return err
}

func (c *clickhouse) Ask(ctx context.Context, query string) (Rows, error) {
	text, err := c.send(ctx, query+"\nformat JSONCompact", nil)
	if err != nil {
		return Rows{}, err
	}
	return parseCompact(text)
}

func (c *clickhouse) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	return stop(c.server, syscall.SIGTERM)
}

// parseCompact reads ClickHouse's JSONCompact, which also tells how many rows
// there were before a limit.
func parseCompact(text []byte) (Rows, error) {
	var answer struct {
		Data [][]json.RawMessage
		All  *int64 `json:"rows_before_limit_at_least"`
	}
	found := Rows{All: -1}
	if err := json.Unmarshal(text, &answer); err != nil {
		return found, fmt.Errorf("%w in %.200s", err, text)
	}
	if answer.All != nil {
		found.All = *answer.All
	}
	for _, values := range answer.Data {
		row := make([]string, len(values))
		for i, v := range values {
			switch {
			case bytes.Equal(v, []byte("null")):
				row[i] = Null
			case v[0] == '"':
				if err := json.Unmarshal(v, &row[i]); err != nil {
					return found, err
				}
			default:
				row[i] = string(v)
			}
		}
		found.Values = append(found.Values, row)
	}
	return found, nil
}
