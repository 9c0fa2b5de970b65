// Package e2e holds the tests of the whole: a real catalog, real fact files and
// the real server over HTTP, compared with the oracle, key by key and product by
// product.
package e2e
