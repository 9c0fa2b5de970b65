// Package house holds the tests of the repository itself: which package may
// import which, that packages introduce themselves, and that every command in
// the documents works.
package house
