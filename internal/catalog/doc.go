// Package catalog knows who may see what: teams and their keys, products and
// their competitors, websites, labels and prompts.
//
// It has three sides. A Workspace is what a person wrote into workspace.yaml,
// read and checked with every mistake named. A Store keeps the catalog in a
// database and applies workspaces to it, whole or not at all. A Snapshot is the
// catalog at one version, in memory, and is all that the server and the loader
// ever read; Live keeps one up to date.
//
// Authorisation is a matter of types: a key gives a Scope, a Scope gives a
// Primary for each product that it reaches, and nothing else makes one. A
// function that takes a Primary cannot be called for somebody else's product.
package catalog
