// Package postgres is all that is peculiar to PostgreSQL: how a database is
// opened by its URL, and what its errors mean to a person. The catalog may be in
// such a database. Nothing that it returns or says has a password in it.
package postgres

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Address is where a database is and how to sign in there.
type Address struct{ config *pgx.ConnConfig }

// IsURL tells whether a text is meant to be the URL of a PostgreSQL database.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// connectTimeout is how long a host may take to answer, unless the URL says.
const connectTimeout = 5 * time.Second

// What a session may take, unless the URL says otherwise. A host that freezes
// in the middle of a change must not keep the others from theirs for ever.
var limits = map[string]string{
	"statement_timeout":                   "60s",
	"lock_timeout":                        "30s",
	"idle_in_transaction_session_timeout": "60s",
}

// Parse reads a URL such as postgres://user@host:5432/database. What it leaves
// out comes from where other programs take it: PGPASSWORD, .pgpass and so on.
func Parse(text string) (*Address, error) {
	u, err := url.Parse(text)
	if err != nil || !IsURL(text) {
		// The reason would quote a part of the URL, and the password is one.
		return nil, errors.New("not a URL such as postgres://user@host:5432/database " +
			"(in a password, write special characters as %40 and the like, or give it in PGPASSWORD)")
	}
	config, err := pgx.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("the URL of the database cannot be used: %s", reason(u, err))
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	for name, value := range limits {
		if _, ok := config.RuntimeParams[name]; !ok {
			config.RuntimeParams[name] = value
		}
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "sightline"
	}
	// Nothing is prepared on the server, so nothing is stale after a migration.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return &Address{config}, nil
}

// reason is why a URL was refused, without the URL.
func reason(u *url.URL, err error) string {
	var refused *pgconn.ParseConfigError
	if !errors.As(err, &refused) {
		return "it is malformed"
	}
	text := refused.Error()
	text = text[strings.LastIndex(text, "`: ")+len("`: "):]
	password, _ := u.User.Password()
	for _, secret := range []string{password, u.Query().Get("password"), u.Query().Get("sslpassword")} {
		if secret != "" && strings.Contains(text, secret) {
			return "it is malformed"
		}
	}
	return text
}

// String is the address for people: a URL without password and settings.
func (a *Address) String() string {
	c := a.config
	u := url.URL{Scheme: "postgres", User: url.User(c.User), Path: "/" + c.Database}
	if strings.HasPrefix(c.Host, "/") {
		u.RawQuery = "host=" + c.Host
		return u.String()
	}
	u.Host = fmt.Sprintf("%s:%d", c.Host, c.Port)
	if strings.Contains(c.Host, ":") {
		u.Host = fmt.Sprintf("[%s]:%d", c.Host, c.Port)
	}
	return u.String()
}

// OpenWriter opens the database to read and write. It does not connect yet.
func (a *Address) OpenWriter() *sql.DB { return open(a.config) }

// OpenReader opens the database for those who may not write: the server itself
// refuses it, so a role without rights and a standby will do.
func (a *Address) OpenReader() *sql.DB {
	config := a.config.Copy()
	config.RuntimeParams["default_transaction_read_only"] = "on"
	return open(config)
}

// open bounds the connections: a catalog needs one, and a second one while the
// first reads the whole of it.
func open(config *pgx.ConnConfig) *sql.DB {
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(2)
	db.SetMaxIdleConns(1)
	db.SetConnMaxLifetime(30 * time.Minute)
	return db
}
