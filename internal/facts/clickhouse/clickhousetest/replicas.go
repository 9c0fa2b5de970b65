package clickhousetest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/house"
)

// zooKeeper is the library of Debian's ZooKeeper, which has the server in it.
const zooKeeper = "/usr/share/java/zookeeper.jar"

// tick is ZooKeeper's unit of time, in milliseconds: sessions of servers that were
// killed last a few.
const tick = "1000"

// StartReplicas starts the servers of a cluster whose shards have replicas, and
// the ZooKeeper through which those know of each other.
func StartReplicas(t testing.TB, shards, replicas int) *Cluster {
	t.Helper()
	needServer(t)
	keeper := startZooKeeper(t)
	c := &Cluster{t: t, replicas: replicas}
	for shard := range shards {
		for replica := range replicas {
			c.add(fmt.Sprintf(`<zookeeper><node><host>127.0.0.1</host><port>%d</port></node><session_timeout_ms>4000</session_timeout_ms></zookeeper>
<macros><shard>s%d</shard><replica>r%d</replica></macros>
<interserver_http_host>127.0.0.1</interserver_http_host><interserver_http_port>%d</interserver_http_port>`, keeper, shard+1, replica+1, freePort(t)))
		}
	}
	c.start()
	return c
}

// startZooKeeper starts a ZooKeeper on its own, and returns its port.
func startZooKeeper(t testing.TB) (port int) {
	t.Helper()
	_, err := exec.LookPath("java")
	if _, err2 := os.Stat(zooKeeper); err != nil || err2 != nil {
		house.Skip(t, "needs ZooKeeper (Debian packages libzookeeper-java and default-jre-headless)")
	}
	port = freePort(t)
	var out bytes.Buffer
	cmd := exec.Command("java", "-Xmx128m", "-Dzookeeper.admin.enableServer=false", "-cp", zooKeeper,
		"org.apache.zookeeper.server.ZooKeeperServerMain", fmt.Sprint(port), t.TempDir(), tick)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if greets(port) {
			return port
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	t.Fatalf("ZooKeeper did not start\n%s", out.String())
	return 0
}

// greets says whether a ZooKeeper takes sessions: it listens before it does.
func greets(port int) bool {
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(2 * time.Second))
	greeting := make([]byte, 48) // a new session: zeros, but for lengths and a time
	greeting[3], greeting[19], greeting[31] = 44, 100, 16
	if _, err := conn.Write(greeting); err != nil {
		return false
	}
	n, err := conn.Read(greeting)
	return err == nil && n > 0
}
