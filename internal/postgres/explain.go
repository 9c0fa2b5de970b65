package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Explain says what to do about an error of a database, which people know as
// the catalog.
func (a *Address) Explain(what string, err error) error {
	var server *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &server):
		return a.told(what, server, err)
	case errors.As(err, &connect):
		return a.unreachable(what, err)
	case errors.Is(err, context.DeadlineExceeded):
		return problem{fmt.Sprintf("%s %s: PostgreSQL does not answer in time: see whether it runs and can be reached", what, a), err}
	case lost(err):
		return problem{fmt.Sprintf("%s %s: the connection was lost: see whether PostgreSQL runs, and try again", what, a), err}
	}
	return err
}

// problem is an error in our words, with the cause behind it. Its cause is not
// repeated where it would only say the same in other words.
type problem struct {
	text  string
	cause error
}

func (p problem) Error() string { return p.text }
func (p problem) Unwrap() error { return p.cause }

// lost tells whether a connection that was there broke.
func lost(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, pgconn.ErrConnClosed)
}

// told is what the server itself said, with advice.
func (a *Address) told(what string, e *pgconn.PgError, err error) error {
	c := a.config
	advice := ""
	switch e.Code {
	case "28P01", "28000":
		advice = a.refused(e)
	case "3D000":
		advice = fmt.Sprintf("there is no database %q: create it with: create database %q", c.Database, c.Database)
	case "42501":
		advice = fmt.Sprintf("role %q may not do that: use the owner of the tables, or grant it the right (docs/scaling.md has the statements)", c.User)
	case "25006":
		advice = "it cannot be written: the connection is read-only, or the server is a standby"
	case "53300":
		advice = "it has no connection left: raise max_connections, or stop other programs"
	case "53100":
		advice = "its disk is full: nothing was changed, make room and try again"
	case "55P03":
		advice = "another command is writing to it: try again when that has ended"
	case "57014":
		advice = "it took longer than statement_timeout allows: try again, or raise it in the URL"
	case "57P01", "57P02", "57P03", "57P05", "25P03":
		advice = "PostgreSQL is starting, stopping, or has ended the connection: try again in a moment"
	default:
		return problem{fmt.Sprintf("%s %s: %s", what, a, said(e)), err}
	}
	return problem{fmt.Sprintf("%s %s: %s (%s)", what, a, advice, said(e)), err}
}

func said(e *pgconn.PgError) string { return fmt.Sprintf("%s, SQLSTATE %s", e.Message, e.Code) }

// refused is why the server did not let us in.
func (a *Address) refused(e *pgconn.PgError) string {
	c := a.config
	switch {
	case strings.Contains(e.Message, "no encryption"):
		return "the server takes only encrypted connections: add sslmode=require, or better sslmode=verify-full, to the URL"
	case strings.Contains(e.Message, "pg_hba.conf"):
		return fmt.Sprintf("the server does not let role %q in from here: allow it in pg_hba.conf", c.User)
	case c.Password == "":
		return fmt.Sprintf("role %q needs a password: give it in PGPASSWORD, or in the URL", c.User)
	}
	return fmt.Sprintf("wrong password for role %q, or no such role: see PGPASSWORD and the URL", c.User)
}

// unreachable is why there is no connection.
func (a *Address) unreachable(what string, err error) error {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var dns *net.DNSError
	var dial *net.OpError
	reason := ""
	switch {
	case errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &name):
		reason = "the certificate of the server cannot be trusted: name the file of its authority with sslrootcert in the URL"
		if certificate != nil {
			reason += fmt.Sprintf(" (%v)", certificate.Err)
		}
	case strings.Contains(err.Error(), "server refused TLS connection"):
		reason = "the server has no TLS: switch it on there (ssl = on), or use sslmode=disable on a network that you trust"
	case errors.As(err, &dns):
		reason = fmt.Sprintf("there is no host %q: see the URL", dns.Name)
	case errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err):
		reason = "it does not answer in time: see whether PostgreSQL runs and can be reached from here"
	case errors.As(err, &dial):
		reason = fmt.Sprintf("cannot connect: see whether PostgreSQL runs there, and whether host and port are right (%v)", dial.Err)
	default:
		reason = fmt.Sprintf("cannot connect: see whether PostgreSQL runs there (%s)", strings.Join(strings.Fields(err.Error()), " "))
	}
	return problem{fmt.Sprintf("%s %s: %s", what, a, reason), err}
}
