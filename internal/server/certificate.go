package server

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// Certificate is a pair of files that may be replaced while the server runs.
type Certificate struct {
	cert, key string
	log       *slog.Logger
	seen      [sha256.Size]byte // the files that were looked at last
	wrong     error             // with those
	refused   atomic.Pointer[error]
	current   atomic.Pointer[tls.Certificate]
}

// OpenCertificate reads a certificate with its chain, and its key, as PEM.
func OpenCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key, log: log}
	if _, err := c.load(); err != nil {
		return nil, err
	}
	return c, nil
}

// Follow looks for new files at a pace, until the context ends. A pair that is
// wrong is told of once, and the one before stays.
func (c *Certificate) Follow(ctx context.Context, pace time.Duration) {
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	for last := ""; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		changed, err := c.load()
		c.refused.Store(&err)
		switch {
		case err == nil && changed:
			c.log.Info("using a new certificate", "expires", c.Expires())
			last = ""
		case err != nil && (changed || err.Error() != last):
			c.log.Error("the new certificate is not used; going on with the one before", "error", err)
			last = err.Error()
		case err == nil:
			last = ""
		}
	}
}

// load reads the files, and says whether they are others than the last time.
func (c *Certificate) load() (changed bool, err error) {
	cert, certErr := os.ReadFile(c.cert)
	key, keyErr := os.ReadFile(c.key)
	if err := errors.Join(certErr, keyErr); err != nil {
		return false, fmt.Errorf("cannot read the certificate or its key: %w", err)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s%s", len(cert), cert, key))
	if sum == c.seen {
		return false, c.wrong
	}
	c.seen = sum
	pair, err := tls.X509KeyPair(cert, key)
	switch {
	case err != nil:
		c.wrong = fmt.Errorf("%s and %s are no certificate with its key: %w", c.cert, c.key, err)
	case time.Now().After(pair.Leaf.NotAfter):
		c.wrong = fmt.Errorf("the certificate in %s expired on %s", c.cert, pair.Leaf.NotAfter.UTC().Format(time.RFC3339))
	default:
		c.wrong = nil
		c.current.Store(&pair)
	}
	return true, c.wrong
}

// Refused is why the files as they are now are not used, or nil.
func (c *Certificate) Refused() error {
	if err := c.refused.Load(); err != nil {
		return *err
	}
	return nil
}

// Expires is when the certificate in use ends.
func (c *Certificate) Expires() time.Time { return c.current.Load().Leaf.NotAfter }

func (c *Certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
