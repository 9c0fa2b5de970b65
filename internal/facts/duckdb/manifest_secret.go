package duckdb

import (
	"context"
	"database/sql"

	"github.com/sightline-hq/sightline/internal/facts"
)

// SameSecret implements facts.Loader: a digit that changes in the file of the
// secret would make strangers of all visitors, and nothing else would tell of it.
func (l *Loader) SameSecret(ctx context.Context, secret []byte) (bool, error) {
	known, err := l.manifest.secret(ctx)
	if err == nil && known == "" {
		known, err = facts.Fingerprint(secret), l.NewSecret(ctx, secret)
	}
	return known == facts.Fingerprint(secret), err
}

// NewSecret goes on with another secret.
func (l *Loader) NewSecret(ctx context.Context, secret []byte) error {
	return l.manifest.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "update state set secret = ?", facts.Fingerprint(secret)); err != nil {
			return err
		}
		return addToSeal(ctx, tx, inputsSum{})
	})
}

// SecretOf is the fingerprint of the secret that the facts of a folder were loaded
// with, or empty where that is not known.
func SecretOf(ctx context.Context, dir string) (fingerprint string, err error) {
	err = reading(ctx, dir, func(m *manifest) error {
		fingerprint, err = m.secret(ctx)
		return err
	})
	return fingerprint, err
}

func (m *manifest) secret(ctx context.Context) (fingerprint string, err error) {
	err = m.tx(ctx, func(tx *sql.Tx) error {
		format, err := formatOf(ctx, tx)
		if err != nil || format <= unmarkedVersion {
			return err
		}
		if err := m.checkSeal(ctx, tx); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "select secret from state").Scan(&fingerprint)
	})
	return fingerprint, err
}
