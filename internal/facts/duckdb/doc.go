// Package duckdb keeps facts in immutable DuckDB files, one per kind and ISO
// week or run of weeks, listed in a small SQLite manifest.
//
// A load writes new files beside the old ones and publishes them all in one
// transaction of the manifest (Loader). A server opens the files of the
// manifest's current version read-only, moves to a new set when the version
// moves, and lets the requests on the old one finish (Live). Nothing published
// is ever changed, so readers and the loader never wait for each other, and a
// crash leaves either the old set or the new one.
package duckdb
