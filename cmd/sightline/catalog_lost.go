package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sightline-hq/sightline/internal/catalog"
)

// ifLost replaces the advice of an error if the catalog was lost: that of a
// directory where there never was one would lead to losing all keys.
func (a *app) ifLost(err error) error {
	if err == nil || a.catalogApart() || !catalog.Lost(err) || !a.dir().HasFacts() {
		return err
	}
	return a.lostCatalog()
}

// lostCatalog says what to do about facts whose catalog is gone.
func (a *app) lostCatalog() error {
	path, state, moveIt := a.dir().Catalog(), "", ""
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		state = "missing"
	case err == nil && info.Size() == 0:
		state = "empty"
	default:
		state, moveIt = "damaged, or not a catalog", "move that file away, and "
	}
	if moveIt == "" && a.dir().HasFacts() {
		state += ", but there are facts beside it"
	}
	return fmt.Errorf("the catalog %s is %s: restore a backup into a new directory with 'sightline restore DIR --data NEW', "+
		"or name the catalog with --catalog if it is in PostgreSQL (with neither, %s'sightline apply --new-catalog workspace.yaml' "+
		"makes a new one, without the API keys)", path, state, moveIt)
}
