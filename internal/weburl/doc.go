// Package weburl is how Sightline reads domains, URLs and paths: which domain a
// host stands for, which page a path names, and how a cited URL is written.
// It is pure: no I/O, nothing remembered, the standard library only.
//
// Every function that normalizes is idempotent, so what was stored once can go
// through it again, as the value of a filter does.
package weburl

// MaxURL is the longest URL that is read, in bytes. Browsers and proxies agree
// on about this limit; what is longer is an attack or an accident.
const MaxURL = 8192
