// Package datadir knows what lies where in a data directory:
//
//	catalog.db    who may see what (SQLite)
//	facts/        what happened: weekly DuckDB files and their manifest
//	rejects/      input lines that were refused, with the reason
//	secret        the key of visitor ids; without it they cannot be recomputed
package datadir

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dir is a data directory.
type Dir string

// Catalog is the path of the catalog's database.
func (d Dir) Catalog() string { return filepath.Join(string(d), "catalog.db") }

// Facts is the folder of the facts.
func (d Dir) Facts() string { return filepath.Join(string(d), "facts") }

// Rejects is the folder of refused lines.
func (d Dir) Rejects() string { return filepath.Join(string(d), "rejects") }

// Create makes the directory, for commands that write into it.
func (d Dir) Create() error {
	if d == "" {
		return errors.New("no data directory: name one with --data")
	}
	if err := d.notBackup(); err != nil {
		return err
	}
	for _, path := range []string{string(d), d.Facts()} {
		if err := os.MkdirAll(path, 0o750); err != nil {
			return fmt.Errorf("cannot write to the data directory: %w (choose another with --data)", err)
		}
	}
	return nil
}

// Check tells a person what to do if there is no data directory.
func (d Dir) Check() error {
	if d == "" {
		return errors.New("no data directory: name one with --data")
	}
	info, err := os.Stat(string(d))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no data directory at %s: make one with 'sightline apply workspace.yaml', or name another with --data", d)
	case err != nil:
		return fmt.Errorf("cannot read the data directory: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory: name the data directory with --data", d)
	}
	return d.notBackup()
}

// notBackup refuses the folder of a backup, which internal/backup marks by its
// list: nothing may be written there, and its files have other names.
func (d Dir) notBackup() error {
	if _, err := os.Lstat(filepath.Join(string(d), "backup.json")); err != nil {
		return nil
	}
	return fmt.Errorf("%s is a backup, not a data directory: 'sightline restore %s --data NEW' makes one of it", d, d)
}

// HasFacts tells whether something was loaded into the directory.
func (d Dir) HasFacts() bool {
	for _, pattern := range []string{"manifest.db", "*.duckdb"} {
		if found, err := filepath.Glob(filepath.Join(d.Facts(), pattern)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// founded is the name of a file that says that there are facts in the directory:
// a folder of facts that is gone, or a disk that is not mounted, would look like
// the time before the first load.
const founded = "loaded"

// NoteFacts notes that there are facts.
func (d Dir) NoteFacts() error {
	path := filepath.Join(string(d), founded)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	err := os.WriteFile(path, []byte("There are facts in the folder facts. Without that folder, sightline refuses to answer.\n"), 0o640)
	if err != nil {
		return fmt.Errorf("cannot write to the data directory: %w", err)
	}
	return nil
}

// FactsLost fails if there were facts once, and now there are none.
func (d Dir) FactsLost() error {
	path := filepath.Join(string(d), founded)
	if _, err := os.Lstat(path); err != nil || d.HasFacts() {
		return nil
	}
	return fmt.Errorf("the facts that were loaded into %s are gone: mount their disk, or restore a backup into a new directory with "+
		"'sightline restore DIR --data NEW' (to start over without them, remove %s)", d.Facts(), path)
}

const secretBytes = 32

// Secret returns the key of visitor ids, and makes one in a new directory.
func (d Dir) Secret() ([]byte, error) {
	path := filepath.Join(string(d), "secret")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(d.Facts(), "manifest.db")); err == nil {
			return nil, fmt.Errorf("%s is missing: restore it from a backup with 'sightline restore DIR --repair'; with a new one, visitors of this week would count twice "+
				"(to accept that: openssl rand -hex 32 >%s, and load with --new-secret)", path, path)
		}
		return d.newSecret(path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the visitor secret: %w", err)
	}
	secret, err := ParseSecret(text)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: restore it from a backup with 'sightline restore DIR --repair' (a new one would count returning visitors twice)", path)
	}
	return secret, nil
}

// ParseSecret reads what is in the file of a secret.
func ParseSecret(text []byte) ([]byte, error) {
	secret, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err == nil && len(secret) != secretBytes {
		err = errors.New("it has another length")
	}
	return secret, err
}

// newSecret writes the whole file under another name first and links it into
// place, so that two first loads agree on one secret and a crash leaves none.
func (d Dir) newSecret(path string) ([]byte, error) {
	secret := make([]byte, secretBytes)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(string(d), "secret-*")
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(hex.EncodeToString(secret) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("cannot write the visitor secret: %w", err)
	}
	if err := os.Link(f.Name(), path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return d.Secret()
		}
		return nil, fmt.Errorf("cannot write the visitor secret: %w", err)
	}
	return secret, nil
}
