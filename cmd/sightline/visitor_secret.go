package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// errForeignSecret means that another host has loaded into the same database before.
var errForeignSecret = errors.New("the file secret in the data directory is not the one that these facts were loaded with: " +
	"copy it from the host that loaded first, or visitors of this week would count twice")

// sameSecret refuses a secret of visitor ids that is not the one of the first
// load, unless that is wanted.
func (a *app) sameSecret(ctx context.Context, loader facts.Loader, secret []byte) error {
	same, err := loader.SameSecret(ctx, secret)
	if err != nil || same {
		return err
	}
	files, ok := loader.(*duckdb.Loader)
	if !ok {
		return errForeignSecret
	}
	if !a.newSecret {
		return a.otherSecret()
	}
	fmt.Fprintln(a.stderr, "Visitors are told apart by another secret from now on.")
	return files.NewSecret(ctx, secret)
}

func (a *app) secretPath() string { return filepath.Join(a.data, "secret") }

func (a *app) otherSecret() error {
	return fmt.Errorf("%s is not the one that these facts were loaded with, or it is damaged: restore it from a backup with "+
		"'sightline restore DIR --repair'; with another one, visitors of this week would count twice (to accept that: load with --new-secret)", a.secretPath())
}

// soundSecret reads the secret, and fails if it is another one than the facts say.
func (a *app) soundSecret(ctx context.Context) error {
	secret, err := a.dir().Secret()
	if err != nil {
		return err
	}
	known, err := duckdb.SecretOf(ctx, a.dir().Facts())
	if err == nil && known != "" && known != facts.Fingerprint(secret) {
		return a.otherSecret()
	}
	return nil // a manifest that cannot be read is told of by others
}
