// Package insight says what figures of the API mean: how sure a visibility is,
// what changed against the period before, and which period people mean by "the
// last 30 days". The command line and the dashboard share it, so that both say
// the same. It is arithmetic alone, on the values of package api.
package insight
