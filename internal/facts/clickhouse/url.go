package clickhouse

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Scheme begins the URL of facts in ClickHouse.
const Scheme = "clickhouse://"

// PasswordVariable is where the password may be, instead of in the URL.
const PasswordVariable = "SIGHTLINE_CLICKHOUSE_PASSWORD"

// Config says where the facts are.
type Config struct {
	Addresses []string // of servers, host:port, native protocol
	HTTP      []string // of the same servers, for loading
	User      string
	Password  Secret
	Database  string
	Cluster   string // empty: one server
	Secure    bool   // TLS
	MaxMemory int64  // bytes that a query may take on a server
}

// Secret is a text that does not show.
type Secret string

// String implements fmt.Stringer.
func (Secret) String() string { return "***" }

// GoString implements fmt.GoStringer.
func (Secret) GoString() string { return "***" }

// defaultMaxMemory is 4 GiB.
const defaultMaxMemory = 4 << 30

const example = "clickhouse://user@host1:9000,host2:9000/sightline?cluster=NAME"

// identifier is a name that needs no quotes in SQL.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// clusterName is a name as configurations have it.
var clusterName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// ParseURL reads a URL such as the example. A password from the environment
// counts where the URL has none. Errors never show the URL: it may hold one.
func ParseURL(text string, getenv func(string) string) (Config, error) {
	c := Config{Database: "sightline", User: "default", MaxMemory: defaultMaxMemory}
	rest, ok := strings.CutPrefix(text, Scheme)
	if !ok {
		return c, fmt.Errorf("the place of the facts must begin with %s, as in %s", Scheme, example)
	}
	rest, query, _ := strings.Cut(rest, "?")
	servers, database, _ := strings.Cut(rest, "/")
	if i := strings.LastIndex(servers, "@"); i >= 0 {
		if err := c.login(servers[:i]); err != nil {
			return c, err
		}
		servers = servers[i+1:]
	}
	if c.Password == "" {
		c.Password = Secret(getenv(PasswordVariable))
	}
	if database != "" {
		c.Database = database
	}
	if !identifier.MatchString(c.Database) {
		return c, fmt.Errorf("%q cannot be the name of a database: letters, digits and _ only", c.Database)
	}
	if err := c.parameters(query); err != nil {
		return c, err
	}
	return c, c.servers(servers)
}

// login reads user:password.
func (c *Config) login(text string) error {
	user, password, _ := strings.Cut(text, ":")
	var err, err2 error
	c.User, err = url.PathUnescape(user)
	plain, err2 := url.PathUnescape(password)
	c.Password = Secret(plain)
	if err != nil || err2 != nil {
		return errors.New("user or password of the clickhouse:// URL has a % that does not begin an escape: write it as %25")
	}
	return nil
}

func (c *Config) parameters(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("what follows ? in the clickhouse:// URL cannot be read: write name=value, joined by &")
	}
	for name, all := range values {
		if len(all) != 1 || all[0] == "" {
			return fmt.Errorf("%s of the clickhouse:// URL must occur once, with a value", name)
		}
		value := all[0]
		switch name {
		case "cluster":
			c.Cluster = value
			if !clusterName.MatchString(value) {
				return fmt.Errorf("%q cannot be the name of a cluster", value)
			}
		case "secure":
			if c.Secure, err = strconv.ParseBool(value); err != nil {
				return errors.New("secure of the clickhouse:// URL is true or false")
			}
		case "http":
			c.HTTP = strings.Split(value, ",")
		case "max_memory_usage":
			if c.MaxMemory, err = strconv.ParseInt(value, 10, 64); err != nil || c.MaxMemory < 1 {
				return errors.New("max_memory_usage of the clickhouse:// URL is a number of bytes")
			}
		default:
			return fmt.Errorf("the clickhouse:// URL has no parameter %s: there are cluster, secure, http and max_memory_usage", name)
		}
	}
	return nil
}

// Ports of servers.
const (
	portNative, portNativeTLS = "9000", "9440"
	portHTTP, portHTTPTLS     = "8123", "8443"
)

// servers fills in the addresses.
func (c *Config) servers(list string) error {
	native, web := portNative, portHTTP
	if c.Secure {
		native, web = portNativeTLS, portHTTPTLS
	}
	if list == "" {
		return fmt.Errorf("the clickhouse:// URL names no server: write it as %s", example)
	}
	given := c.HTTP
	c.HTTP = nil
	for _, server := range strings.Split(list, ",") {
		address, host, err := withPort(server, native)
		if err != nil {
			return err
		}
		c.Addresses = append(c.Addresses, address)
		c.HTTP = append(c.HTTP, net.JoinHostPort(host, web))
	}
	if len(given) > 0 {
		c.HTTP = nil
	}
	for _, server := range given {
		address, _, err := withPort(server, web)
		if err != nil {
			return err
		}
		c.HTTP = append(c.HTTP, address)
	}
	return nil
}

// withPort completes an address.
func withPort(server, port string) (address, host string, err error) {
	host = server
	if h, p, err := net.SplitHostPort(server); err == nil {
		host, port = h, p
	} else if strings.Contains(strings.Trim(server, "[]"), ":") && !strings.HasPrefix(server, "[") {
		return "", "", fmt.Errorf("%q is not the address of a server: write host:port", server)
	}
	host = strings.Trim(host, "[]")
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || host == "" || strings.ContainsAny(host, " /@?#") {
		return "", "", fmt.Errorf("%q is not the address of a server: write host:port", server)
	}
	return net.JoinHostPort(host, port), host, nil
}

// String is where the facts are, for people: without user and password.
func (c Config) String() string {
	text := Scheme + strings.Join(c.Addresses, ",") + "/" + c.Database
	if c.Cluster != "" {
		text += "?cluster=" + c.Cluster
	}
	return text
}
