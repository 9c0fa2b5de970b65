package server_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/leaktest"
)

// TestMain proves that the answers of this package's tests were checked
// against the OpenAPI document, and that nothing runs on after them.
func TestMain(m *testing.M) {
	flag.Parse()
	all := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.list").Value.String() == ""
	code := m.Run()
	if code == 0 && all && contract.Requests() == 0 {
		fmt.Println("no answer was checked against the OpenAPI document")
		code = 1
	}
	os.Exit(leaktest.Code(code))
}
