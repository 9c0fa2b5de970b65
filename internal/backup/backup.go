// Package backup keeps copies of the files of a data directory in a folder, and
// puts them back. It knows nothing of what is in them.
//
// A backup is the list in backup.json and the files that it names, each with its
// size and SHA-256. The name of a stored file has the beginning of its sum in it,
// so no file that a list names is ever written over: the list is replaced last,
// in one step, and until then the backup before is whole.
package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	listName = "backup.json"
	format   = 1
	part     = ".part" // of files that are being written
)

// Backup is the list of a backup.
type Backup struct {
	Format       int       `json:"format"`
	Made         time.Time `json:"made"`
	Program      string    `json:"program"` // the version of sightline that made it
	FactsVersion int64     `json:"factsVersion"`
	LeftOut      []string  `json:"leftOut,omitempty"` // what is not in it, for people
	Files        []File    `json:"files"`
	Sum          string    `json:"sum"` // of the list itself, with this empty

	dir string
}

// File is a file of a backup.
type File struct {
	Path   string `json:"path"`   // in the data directory, with slashes
	Stored string `json:"stored"` // in the folder of the backup
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Bytes is how much all files take.
func (b *Backup) Bytes() (n int64) {
	for _, f := range b.Files {
		n += f.Bytes
	}
	return n
}

// Holding finds a file by its sum.
func (b *Backup) Holding(sha256 string) (File, bool) {
	for _, f := range b.Files {
		if f.SHA256 == sha256 {
			return f, true
		}
	}
	return File{}, false
}

// At finds a file by its path.
func (b *Backup) At(path string) (File, bool) {
	for _, f := range b.Files {
		if f.Path == path {
			return f, true
		}
	}
	return File{}, false
}

// Read reads the list of a backup.
func Read(dir string) (*Backup, error) {
	where := filepath.Join(dir, listName)
	text, err := os.ReadFile(where)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no backup in %s: name the folder that 'sightline backup' wrote to", dir)
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s is a file, not a backup: name the folder that 'sightline backup' wrote to", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the backup: %w", err)
	}
	b := &Backup{dir: dir}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("%s is damaged: use another backup (%w)", where, err)
	}
	if b.Format > format {
		return nil, fmt.Errorf("%s has format %d, this sightline knows up to %d: use the newer sightline that wrote it", where, b.Format, format)
	}
	sum := b.Sum
	if b.sign(); sum != b.Sum {
		return nil, fmt.Errorf("%s is damaged: use another backup", where)
	}
	for _, f := range b.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) || !filepath.IsLocal(filepath.FromSlash(f.Stored)) {
			return nil, fmt.Errorf("%s names a file outside its folder: %s", where, f.Path)
		}
	}
	return b, nil
}

// sign sets the sum of the list.
func (b *Backup) sign() {
	b.Sum = ""
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
	}
	sum := sha256.Sum256(text)
	b.Sum = hex.EncodeToString(sum[:])
}

// write replaces the list.
func (b *Backup) write() error {
	b.sign()
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	where := filepath.Join(b.dir, listName)
	if err := os.WriteFile(where+part, append(text, '\n'), 0o600); err != nil {
		return err
	}
	if err := syncPath(where + part); err != nil {
		return err
	}
	if err := os.Rename(where+part, where); err != nil {
		return err
	}
	return syncPath(b.dir)
}

// stored is the name of a file in a backup: facts/visits-….1a2b3c4d.duckdb.
func stored(name, sum string) string {
	ending := path.Ext(name)
	return strings.TrimSuffix(name, ending) + "." + sum[:16] + ending
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
