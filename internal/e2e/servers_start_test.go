package e2e

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/house"
)

// recipes is the document whose configuration the servers get.
const recipes = "../../docs/loading.md"

// recipe is a named block of the recipes.
func recipe(t *testing.T, name string) string {
	t.Helper()
	fenced := regexp.MustCompile("(?ms)^```[a-z]+ " + regexp.QuoteMeta(name) + "\n(.*?)^```$")
	found := fenced.FindSubmatch(read(t, recipes))
	if found == nil {
		t.Fatalf("%s has no block %s", recipes, name)
	}
	return string(found[1])
}

// webServer is a web server that is about to run, with all that is its own in
// one folder.
type webServer struct {
	program string // as Debian calls it
	debian  string // the package that has it
	log     string // as the recipe names it, under a folder for logs
	config  func(*webServer) string
	args    func(config string) []string
	end     os.Signal // asks it to finish what it has begun

	dir  string
	port int
	ipv6 bool
}

func (w *webServer) logs() string { return filepath.Join(w.dir, "logs") }
func (w *webServer) root() string { return filepath.Join(w.dir, "root") }

// listen are the addresses to listen on, in a server's own words.
func (w *webServer) listen(format string) string {
	lines := fmt.Sprintf(format, fmt.Sprintf("127.0.0.1:%d", w.port))
	if w.ipv6 {
		lines += fmt.Sprintf(format, fmt.Sprintf("[::1]:%d", w.port))
	}
	return lines
}

// prepare makes the folder and finds a port.
func (w *webServer) prepare(t *testing.T) {
	t.Helper()
	w.dir = t.TempDir()
	// A server that gives up being root must still reach the folder.
	if err := os.Chmod(filepath.Dir(w.dir), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{w.logs(), w.root()} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if w.port == 0 {
		w.port = freePort(t)
	}
	l, err := net.Listen("tcp6", "[::1]:0")
	if w.ipv6 = err == nil; w.ipv6 {
		l.Close()
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// find is where a program is. Those of administrators may not be on the path.
func find(t *testing.T, program, debian string) string {
	t.Helper()
	for _, name := range []string{program, "/usr/sbin/" + program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	house.Skip(t, "needs "+program+" (Debian package "+debian+")")
	return ""
}

// run starts the server and returns how to stop it.
func (w *webServer) run(t *testing.T) (stop func()) {
	t.Helper()
	path := find(t, w.program, w.debian)
	config := filepath.Join(w.dir, "config")
	if err := os.WriteFile(config, []byte(w.config(w)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, w.args(config)...)
	cmd.Env = append(os.Environ(), "HOME="+w.dir, "XDG_DATA_HOME="+w.dir, "XDG_CONFIG_HOME="+w.dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.WaitDelay = &out, &out, w.dir, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stopped := false
	t.Cleanup(func() {
		if !stopped {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // with its workers
		}
	})
	w.await(t, ended, &out)
	return func() {
		t.Helper()
		if err := cmd.Process.Signal(w.end); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			stopped = true
			if err != nil {
				t.Fatalf("%s ended with %v: %s", w.program, err, &out)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s does not stop", w.program)
		}
	}
}

// await waits until the server takes connections.
func (w *webServer) await(t *testing.T, ended <-chan error, out *bytes.Buffer) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(poll) {
		conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", w.port))
		if err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-ended:
			t.Fatalf("%s did not start: %v: %s\n%s", w.program, err, out, w.config(w))
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not answer: %v", w.program, err)
		}
	}
}

// nginx serves the website acme.com and, by default, another one.
func nginx(inHTTP, inServer, log string) *webServer {
	return &webServer{program: "nginx", debian: "nginx-light", log: log, end: syscall.SIGQUIT,
		args: func(config string) []string { return []string{"-c", config, "-e", "stderr", "-g", "daemon off;"} },
		config: func(w *webServer) string {
			var temp strings.Builder
			for _, what := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
				fmt.Fprintf(&temp, "%s_temp_path %s/%s;\n", what, w.dir, what)
			}
			return fmt.Sprintf("pid %[1]s/pid;\nevents {}\nhttp {\n%[2]s%[3]s\n"+
				"server {\nserver_name default.example;\n%[4]sroot %[5]s;\n}\n"+
				"server {\nserver_name acme.com www.acme.com;\n%[4]sroot %[5]s;\n%[6]s}\n}\n",
				w.dir, &temp, strings.ReplaceAll(inHTTP, "/var/log/nginx", w.logs()),
				w.listen("listen %s;\n"), w.root(), strings.ReplaceAll(inServer, "/var/log/nginx", w.logs()))
		}}
}

// apache serves the same.
func apache(inServer, inHost, log string) *webServer {
	return &webServer{program: "apache2", debian: "apache2", log: log, end: syscall.SIGWINCH,
		args: func(config string) []string { return []string{"-f", config, "-D", "FOREGROUND"} },
		config: func(w *webServer) string {
			var c strings.Builder
			fmt.Fprintf(&c, "ServerRoot %s\nServerName default.example\nPidFile %[1]s/pid\nErrorLog %[1]s/error.log\n", w.dir)
			fmt.Fprintf(&c, "DefaultRuntimeDir %s\nUser www-data\nGroup www-data\n", w.dir)
			for _, module := range []string{"mpm_event", "authz_core", "dir", "mime"} {
				fmt.Fprintf(&c, "LoadModule %s_module /usr/lib/apache2/modules/mod_%[1]s.so\n", module)
			}
			fmt.Fprintf(&c, "TypesConfig /dev/null\nDocumentRoot %s\n%s", w.root(), w.listen("Listen %s\n"))
			c.WriteString(strings.ReplaceAll(inServer, "/var/log/apache2", w.logs()))
			fmt.Fprintf(&c, "<VirtualHost *>\nServerName default.example\n</VirtualHost>\n")
			fmt.Fprintf(&c, "<VirtualHost *>\nServerName acme.com\nServerAlias www.acme.com\n%s</VirtualHost>\n",
				strings.ReplaceAll(inHost, "/var/log/apache2", w.logs()))
			return c.String()
		}}
}

// caddy serves the same.
func caddy(inSite, log string) *webServer {
	return &webServer{program: "caddy", debian: "caddy", log: log, end: syscall.SIGTERM,
		args: func(config string) []string { return []string{"run", "--config", config, "--adapter", "caddyfile"} },
		config: func(w *webServer) string {
			bind := "bind 127.0.0.1"
			if w.ipv6 {
				bind += " ::1"
			}
			site := fmt.Sprintf("%s\nroot * %s\nfile_server\n", bind, w.root())
			return fmt.Sprintf("{\nadmin off\nauto_https off\n}\nhttp://acme.com:%[1]d, http://www.acme.com:%[1]d {\n%[2]s%[3]s}\nhttp://:%[1]d {\n%[2]s}\n",
				w.port, site, strings.ReplaceAll(inSite, "/var/log/caddy", w.logs()))
		}}
}
