package backup

import (
	"path/filepath"
	"strings"
)

// Within tells whether a path is a folder or lies in it, whatever links lead
// there. Neither has to exist.
func Within(path, folder string) bool {
	path, err := resolved(path)
	if err != nil {
		return false
	}
	if folder, err = resolved(folder); err != nil {
		return false
	}
	between, err := filepath.Rel(folder, path)
	return err == nil && between != ".." && !strings.HasPrefix(between, ".."+string(filepath.Separator))
}

// resolved follows the links of as much of a path as exists.
func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if found, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(found, rest), nil
		}
		if at == filepath.Dir(at) {
			return path, nil
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
