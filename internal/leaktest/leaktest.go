// Package leaktest makes it a failure of tests to leave goroutines behind.
package leaktest

import (
	"fmt"
	"net/http"
	"os"

	"go.uber.org/goleak"
)

// Code is the exit code of tests that ended with a code: call it last in
// TestMain. Connections that the default client keeps are closed first.
func Code(code int) int {
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if code != 0 {
		return code // a test that failed may have left anything
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "goroutines are left behind:", err)
		return 1
	}
	return 0
}
