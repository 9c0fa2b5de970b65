// Package client calls a Sightline server: seven methods on the types of
// package api, one for each route, and an iterator over all pages of the
// timeseries. It imports package api and the standard library only.
//
//	c, err := client.New("https://sightline.example", os.Getenv("SIGHTLINE_API_KEY"))
//	products, err := c.Products(ctx)
//
// # Retries
//
// Every call is a read, so repeating it is safe. A 5xx answer and a connection
// that breaks, also in the middle of an answer, are tried again: after a random
// time between zero and a limit that doubles from attempt to attempt, and never
// before the server's Retry-After has passed. Nothing else is tried again, 400
// and 401 in particular. A call ends after a number of attempts
// ([WithMaxAttempts]) and within a total time ([WithTotalTime]), whichever comes
// first; a wait that would outlast that time or the context's deadline is not
// begun.
//
// # Errors
//
// A call that fails returns an [*Error]. It says what the server said, the id
// of the request in the server's log, and for a 400 what was wrong. It matches
// [ErrBadRequest], [ErrUnauthorized] or [ErrUnavailable].
//
// # The key
//
// The key is sent to the base URL's origin and nowhere else: redirects, which
// the API does not have, are errors. It is in no URL and no error, and printing
// a Client does not show it. This package logs nothing.
package client
