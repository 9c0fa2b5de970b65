// Package web is the dashboard: pages about visibility, citations and traffic,
// rendered on the server. It is a client of the public contract, so it works
// with any server that keeps it, and knows nothing that a caller with a key does
// not know.
//
// The key stays here: a browser gets pages, never the key and never a way to
// use it for other calls. Everything that comes from the API is text of other
// people, and html/template escapes it. All state of a page is in its URL.
//
// A page is made in three steps: readState understands the URL, ask makes the
// calls of the page's parts side by side, and a view turns the answers into what
// a template shows and a CSV file holds. A part that fails says so in its place.
package web
