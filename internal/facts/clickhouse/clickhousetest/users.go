package clickhousetest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// Users adds a file of users to the server's, and starts the server again: it
// takes passwords that such a file leaves to the environment from the test's.
func (s *Server) Users(text []byte) {
	s.t.Helper()
	dir := filepath.Join(s.dir, "users.d")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "more.xml"), text, 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.Stop()
	s.Start()
}

// TryAs runs a statement as a user, over HTTP, and returns what the server says
// against it.
func (s *Server) TryAs(user, password, statement string) error {
	request, err := http.NewRequest("POST", fmt.Sprintf("http://127.0.0.1:%d/", s.HTTP), strings.NewReader(statement))
	if err != nil {
		return err
	}
	request.SetBasicAuth(user, password)
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = errors.New(string(text))
	}
	return err
}
