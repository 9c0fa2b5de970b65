package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/sightline-hq/sightline/internal/catalog"
)

const catalogUsage = "URL of a PostgreSQL database with the catalog, such as postgres://user@host:5432/database (default: catalog.db in the data directory)"

// catalogPlace is where the catalog is: in PostgreSQL, or in the data directory.
func (a *app) catalogPlace() string { return cmp.Or(a.catalog, a.dir().Catalog()) }

// catalogApart tells whether the catalog is outside the data directory.
func (a *app) catalogApart() bool { return a.catalog != "" }

// checkCatalog refuses what is not a URL; it does not repeat it, for a password
// may be in it.
func (a *app) checkCatalog() error {
	if !strings.Contains(a.catalog, "://") {
		return usageError{errors.New("--catalog takes a URL, such as postgres://user@host:5432/database: leave it out for the catalog in the data directory")}
	}
	return nil
}

// prepareCatalog makes the data directory if the catalog is to be in it. Beside
// facts it makes no new catalog: they had one, and with it the keys would be gone.
func (a *app) prepareCatalog() error {
	if a.catalogApart() {
		return a.checkCatalog()
	}
	if err := a.dir().Create(); err != nil {
		return err
	}
	info, err := os.Stat(a.dir().Catalog())
	none := errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
	if none && a.dir().HasFacts() && !a.newCatalog {
		return a.lostCatalog()
	}
	return nil
}

// openCatalog opens the catalog to change it, and makes it if there is none.
func (a *app) openCatalog(ctx context.Context) (*catalog.Store, error) {
	if err := a.prepareCatalog(); err != nil {
		return nil, err
	}
	store, err := catalog.Open(ctx, a.catalogPlace())
	return store, a.ifLost(err)
}

// readCatalog opens a catalog that exists, to read it.
func (a *app) readCatalog(ctx context.Context) (*catalog.Store, error) {
	check := a.dir().Check
	if a.catalogApart() {
		check = a.checkCatalog
	}
	if err := check(); err != nil {
		return nil, err
	}
	store, err := catalog.OpenReader(ctx, a.catalogPlace())
	return store, a.ifLost(err)
}

// changeCatalog opens a catalog that exists, to change it.
func (a *app) changeCatalog(ctx context.Context, do func(*catalog.Store) error) error {
	reader, err := a.readCatalog(ctx) // it says what to do if there is none
	switch {
	case err == nil:
		reader.Close()
	case !errors.Is(err, catalog.ErrOlder): // that is opened to be brought up to date
		return err
	}
	store, err := a.openCatalog(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	return do(store)
}

// fromCatalog reads something from a catalog that exists.
func fromCatalog[T any](ctx context.Context, a *app, read func(*catalog.Store, context.Context) (T, error)) (found T, err error) {
	store, err := a.readCatalog(ctx)
	if err != nil {
		return found, err
	}
	defer store.Close()
	return read(store, ctx)
}

// catalogNow reads the catalog once.
func (a *app) catalogNow(ctx context.Context) (*catalog.Snapshot, error) {
	return fromCatalog(ctx, a, (*catalog.Store).Snapshot)
}

// checkData tells a person what to do if there is no data directory.
func (a *app) checkData() error {
	err := a.dir().Check()
	if _, missing := os.Stat(a.data); err != nil && a.catalogApart() && errors.Is(missing, fs.ErrNotExist) {
		return fmt.Errorf("no data directory at %s: load something into it first with 'sightline load', or name another with --data", a.data)
	}
	return err
}
