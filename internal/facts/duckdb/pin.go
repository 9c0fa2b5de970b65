package duckdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sightline-hq/sightline/internal/sqlite"
)

// Pinned is the facts of one version, held open: whatever loads replace and
// remove meanwhile, its files can be read until it is closed.
type Pinned struct {
	Version  int64
	Manifest string // a copy that names these files as current
	Files    []PinnedFile
}

// PinnedFile is one of them.
type PinnedFile struct {
	Name   string // in the folder of the facts
	SHA256 string
	Bytes  int64
	*os.File
}

// Pin holds the current version of a folder, and copies its manifest to a path.
// It writes nothing into the folder. Where nothing was ever loaded, the version
// is 0 and there is no manifest.
func Pin(ctx context.Context, dir, manifestCopy string) (_ *Pinned, err error) {
	p := &Pinned{Manifest: manifestCopy}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	m, err := openManifest(ctx, dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return &Pinned{}, nil
	}
	if err != nil {
		return nil, err
	}
	err = sqlite.CopyInto(ctx, m.db, manifestCopy)
	if err := errors.Join(m.explain(err), m.close()); err != nil {
		return nil, err
	}
	// The copy says which files belong together; loads leave those that they
	// replace in place for longer than opening them takes.
	copied := &manifest{db: sqlite.OpenReader(manifestCopy), dir: dir, path: manifestCopy}
	version, files, err := copied.current(ctx)
	if err := errors.Join(err, copied.close()); err != nil {
		return nil, fmt.Errorf("cannot copy the manifest of the facts: %w", err)
	}
	p.Version = version
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		file, err := os.Open(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		p.Files = append(p.Files, PinnedFile{f.name, f.sha256, f.bytes, file})
	}
	return p, nil
}

// ManifestName is what a manifest is called in a folder of facts.
const ManifestName = manifestName

// Close lets go of the files.
func (p *Pinned) Close() (err error) {
	for _, f := range p.Files {
		err = errors.Join(err, f.Close())
	}
	return err
}
