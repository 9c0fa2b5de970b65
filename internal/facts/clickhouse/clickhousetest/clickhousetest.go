// Package clickhousetest starts real ClickHouse servers for tests: those of the
// Debian package clickhouse-server, on free ports of the loopback address, with
// everything that is theirs in temporary folders.
package clickhousetest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/house"
)

// Name is that of the cluster in the servers' configuration.
const Name = "shards"

// Password is that of the user default.
const Password = "p'w\\:/?#@ %41"

// Cluster is servers that know each other as shards, and as replicas of them.
type Cluster struct {
	t        testing.TB
	Servers  []*Server // the replicas of a shard follow each other
	replicas int       // of a shard
}

// Server is one of them.
type Server struct {
	t      testing.TB
	dir    string
	Native int    // port
	HTTP   int    // port
	extra  string // of the configuration
	cmd    *exec.Cmd
	out    *bytes.Buffer // what it printed; to be read when it has ended
	ended  chan struct{} // closed when it has
	why    error         // then
}

// Start starts servers, and ends them with the test. It skips the test where
// there is no clickhouse-server.
func Start(t testing.TB, shards int) *Cluster {
	t.Helper()
	needServer(t)
	c := &Cluster{t: t, replicas: 1}
	for range shards {
		c.add("")
	}
	c.start()
	return c
}

func needServer(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("clickhouse-server"); err != nil {
		house.Skip(t, "needs clickhouse-server (Debian package clickhouse-server)")
	}
}

// add adds a server with some configuration of its own.
func (c *Cluster) add(extra string) {
	c.Servers = append(c.Servers, &Server{t: c.t, dir: c.t.TempDir(), Native: freePort(c.t), HTTP: freePort(c.t), extra: extra})
}

func (c *Cluster) start() {
	c.t.Helper()
	for _, s := range c.Servers {
		c.configure(s)
		c.t.Cleanup(s.Kill)
		s.launch()
	}
	for _, s := range c.Servers { // they start beside each other
		s.await()
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// configure writes a server's configuration.
func (c *Cluster) configure(s *Server) {
	var shards strings.Builder
	for shard := range slices.Chunk(c.Servers, c.replicas) {
		fmt.Fprintf(&shards, "<shard><internal_replication>%t</internal_replication>", c.replicas > 1)
		for _, other := range shard {
			fmt.Fprintf(&shards, "<replica><host>127.0.0.1</host><port>%d</port><user>default</user><password>%s</password></replica>", other.Native, Password)
		}
		shards.WriteString("</shard>")
	}
	files := map[string]string{
		"config.xml": fmt.Sprintf(`<yandex>
<logger><level>warning</level><console>1</console></logger>
<listen_host>127.0.0.1</listen_host><tcp_port>%d</tcp_port><http_port>%d</http_port>
<path>%[3]s/data/</path><tmp_path>%[3]s/tmp/</tmp_path><format_schema_path>%[3]s/formats/</format_schema_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size><keep_alive_timeout>3</keep_alive_timeout>
<remote_servers><%[4]s>%[5]s</%[4]s></remote_servers>
%[6]s
</yandex>
`, s.Native, s.HTTP, s.dir, Name, shards.String(), s.extra),
		"users.xml": fmt.Sprintf(`<yandex>
<profiles><default/></profiles><quotas><default/></quotas>
<users><default><password>%s</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
</yandex>
`, Password),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
}

// Start starts the server, for the first time or again.
func (s *Server) Start() {
	s.t.Helper()
	s.launch()
	s.await()
}

func (s *Server) launch() {
	s.t.Helper()
	s.out = new(bytes.Buffer)
	s.cmd = exec.Command("clickhouse-server", "--config-file=config.xml")
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr, s.cmd.WaitDelay = s.dir, s.out, s.out, time.Second
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	cmd, ended := s.cmd, make(chan struct{})
	s.ended = ended
	go func() {
		s.why = cmd.Wait()
		close(ended)
	}()
}

// await waits until the server answers.
func (s *Server) await() {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case <-s.ended:
			s.t.Fatalf("clickhouse-server ended: %v\n%s", s.why, s.out.String())
		default:
		}
		if res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/ping", s.HTTP)); err == nil {
			text, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if string(text) == "Ok.\n" {
				return
			}
		}
	}
	s.Kill()
	s.t.Fatalf("clickhouse-server did not start\n%s", s.out.String())
}

// Stop ends the server, if it runs.
func (s *Server) Stop() {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGCONT)
	s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(20 * time.Second):
		s.Kill()
		return
	}
	s.cmd = nil
}

// Kill ends the server at once, if it runs.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Kill()
	<-s.ended
	s.cmd = nil
}

// Revive starts the server again if it has ended by itself, as its supervisor
// would: old ones may crash.
func (s *Server) Revive() {
	s.t.Helper()
	select {
	case <-s.ended:
		s.t.Logf("clickhouse-server ended by itself: %v\n%s", s.why, s.out.String())
		s.Start()
	default:
	}
}

// Pause lets the server hang, and Resume lets it go on.
func (s *Server) Pause()  { s.cmd.Process.Signal(syscall.SIGSTOP) }
func (s *Server) Resume() { s.cmd.Process.Signal(syscall.SIGCONT) }

// URL is that of a database of the cluster, without the password.
func (c *Cluster) URL(database string) string {
	var native, web []string
	for _, s := range c.Servers {
		native = append(native, fmt.Sprintf("127.0.0.1:%d", s.Native))
		web = append(web, fmt.Sprintf("127.0.0.1:%d", s.HTTP))
	}
	return fmt.Sprintf("clickhouse://default@%s/%s?cluster=%s&http=%s", strings.Join(native, ","), database, Name, strings.Join(web, ","))
}

// URL is that of a database of this server alone, without the password.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("clickhouse://default@127.0.0.1:%d/%s?http=127.0.0.1:%d", s.Native, database, s.HTTP)
}

// Query asks the server over HTTP.
func (s *Server) Query(statement string) string {
	s.t.Helper()
	request, err := http.NewRequest("POST", fmt.Sprintf("http://127.0.0.1:%d/", s.HTTP), strings.NewReader(statement))
	if err != nil {
		s.t.Fatal(err)
	}
	request.SetBasicAuth("default", Password)
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %d %s %v", statement, res.StatusCode, text, err)
	}
	return strings.TrimSpace(string(text))
}
