// Package house holds the tests of the repository itself: which package may
// import which, that packages introduce themselves, and that every command in
// the documents works. It also says how a test of any package is left out.
package house
