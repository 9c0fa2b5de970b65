package server_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/sightline-hq/sightline/internal/contract"
)

// TestMain proves that the answers of this package's tests were checked
// against the OpenAPI document.
func TestMain(m *testing.M) {
	flag.Parse()
	all := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.list").Value.String() == ""
	code := m.Run()
	if code == 0 && all && contract.Requests() == 0 {
		fmt.Println("no answer was checked against the OpenAPI document")
		code = 1
	}
	os.Exit(code)
}
