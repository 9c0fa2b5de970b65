package clickhouse

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"sync"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/sightline-hq/sightline/internal/facts"
)

const (
	dialTimeout = 3 * time.Second
	// killTime is how long stopping a query may take.
	killTime = 5 * time.Second
	// longest is how long writing may take that has no deadline, and longestRead
	// how long reading.
	longest     = 24 * time.Hour
	longestRead = time.Hour
	// connections of one process to a server.
	connections = 64
)

// native is a server by its native protocol.
type native struct {
	address string
	conn    driver.Conn
	memory  int64
	kills   sync.WaitGroup

	mu    sync.Mutex
	knows map[string]bool // optional settings
}

// open prepares a server; it connects when it is first asked.
func (c Config) open(address string) (*native, error) {
	options := &driver.Options{
		Addr: []string{address}, Auth: driver.Auth{Username: c.User, Password: string(c.Password)},
		DialTimeout: dialTimeout, ReadTimeout: longest, MaxOpenConns: connections, MaxIdleConns: 8,
		Compression: &driver.Compression{Method: driver.CompressionLZ4},
	}
	if c.Secure {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		options.TLS = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	}
	conn, err := driver.Open(options)
	if err != nil {
		return nil, err
	}
	return &native{address: address, conn: conn, memory: c.MaxMemory}, nil
}

// String implements server.
func (n *native) String() string { return n.address }

func (n *native) close() error {
	n.kills.Wait()
	return n.conn.Close()
}

// query implements server. When its context ends, the driver tells the server to
// cancel it, and the server's own limit ends it otherwise. It is not killed: while a
// server of 2018 kills a query that waits for another server, it begins and ends no
// queries, and two of them that kill can wait for each other for ever.
func (n *native) query(ctx context.Context, sql string, row func(facts.Scan) error, more ...string) (err error) {
	settings := driver.Settings{
		"readonly": 2, "max_query_size": maxQuerySize, "max_memory_usage": int(n.memory), "max_execution_time": seconds(ctx, longestRead),
		// An edge of a window is small, and is still read by several threads.
		"merge_tree_min_rows_for_concurrent_read": 1 << 15,
		// How long this server waits for others: they are given a moment to connect
		// when they are busy, and one that hangs does not hold queries here for minutes.
		"connect_timeout_with_failover_ms": 1000, "receive_timeout": seconds(ctx, longestRead), "send_timeout": seconds(ctx, longestRead),
	}
	defer func() { err = n.explain(ctx, err) }()
	rows, err := n.conn.Query(driver.Context(ctx, driver.WithSettings(settings)), bounded(sql, more))
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// ended says whether an error came because the context ended. The connection has
// the same deadline, and its clock may be a little ahead.
func ended(ctx context.Context, err error) bool {
	var network net.Error
	deadline, ok := ctx.Deadline()
	if ok && errors.As(err, &network) && network.Timeout() && time.Until(deadline) < 100*time.Millisecond {
		<-ctx.Done()
	}
	return err != nil && ctx.Err() != nil
}

// seconds is the time that is left, rounded up: the server's own limit, in case
// nobody is left to stop a query.
func seconds(ctx context.Context, most time.Duration) int {
	deadline, ok := ctx.Deadline()
	if !ok {
		return int(most.Seconds())
	}
	return int(math.Ceil(max(time.Until(deadline).Seconds(), 0))) + 1
}

// kill stops a statement that writes, on which the server would go on without a client.
func (n *native) kill(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), killTime)
	defer cancel()
	// Its own limit stops it if this cannot.
	_ = n.conn.Exec(ctx, "kill query where query_id = "+quote(id))
}

// exec implements server.
func (n *native) exec(ctx context.Context, sql string) error {
	settings := driver.Settings{"max_query_size": maxQuerySize, "max_execution_time": seconds(ctx, longest), "insert_distributed_sync": 1}
	known, err := n.optional(ctx)
	if err != nil {
		return err
	}
	for name := range known {
		settings[name] = 0
	}
	for started := time.Now(); ; {
		id := rand.Text()
		err = n.conn.Exec(driver.Context(ctx, driver.WithQueryID(id), driver.WithSettings(settings)), sql)
		if ended(ctx, err) {
			n.kills.Go(func() { n.kill(id) })
		}
		err = n.explain(ctx, err)
		if !hasCode(err, codeReadOnly, codeLeaderChanged) || time.Since(started) > replicaTime {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(replicaPause):
		}
	}
}

// replicaTime is how long a replica that has just started may take until it can
// write: until then it does nothing, so the statement is repeated.
const (
	replicaTime  = 30 * time.Second
	replicaPause = 250 * time.Millisecond
)

// optional lists the settings that writing wants to be 0 and that this server
// knows: inserts that wait for others, that are taken for repetitions, or that
// have too many weeks.
func (n *native) optional(ctx context.Context) (map[string]bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.knows != nil {
		return n.knows, nil
	}
	known := make(map[string]bool)
	err := n.query(ctx, `select name from system.settings
		where name in ('async_insert', 'insert_deduplicate', 'max_partitions_per_insert_block')`, func(scan facts.Scan) error {
		var name string
		err := scan(&name)
		known[name] = true
		return err
	})
	if err == nil {
		n.knows = known
	}
	return known, err
}

// lost is an error of the way to a server, not of the server.
type lost struct {
	address string
	cause   error
}

func (l lost) Error() string {
	text := fmt.Sprintf("server %s cannot be reached: %v", l.address, l.cause)
	if strings.Contains(text, "handshake") { // somebody listens there, and speaks otherwise
		text += fmt.Sprintf(" (is it the port of the native protocol, %s or with secure=true %s? That of HTTP belongs behind http=)", portNative, portNativeTLS)
	}
	return text
}
func (l lost) Unwrap() error { return l.cause }

// explain says which server an error is about, and what kind of error it is.
func (n *native) explain(ctx context.Context, err error) error {
	var exception *driver.Exception
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exception):
		return &refused{n.address, int(exception.Code), exception.Message}
	case ended(ctx, err):
		return fmt.Errorf("server %s: %w", n.address, context.Cause(ctx))
	}
	return lost{n.address, err}
}

// refused is what a server says about a statement.
type refused struct {
	address string
	code    int
	message string
}

func (r *refused) Error() string {
	return fmt.Sprintf("server %s: %s (code %d)", r.address, shorten(r.message), r.code)
}

// Codes of servers.
const (
	codeTableExists   = 57
	codeUnknownTable  = 60
	codeUnknownBase   = 81
	codeUnknownUser   = 192
	codeReadOnly      = 242
	codeLeaderChanged = 292
	codeWrongPassword = 193
	codeAuthFailed    = 516
)

func hasCode(err error, codes ...int) bool {
	var r *refused
	if !errors.As(err, &r) {
		return false
	}
	for _, c := range codes {
		if r.code == c {
			return true
		}
	}
	return false
}

// shorten cuts a message of a server, which may quote a whole statement.
func shorten(message string) string {
	const most = 600
	if len(message) > most {
		return message[:most] + "…"
	}
	return message
}
