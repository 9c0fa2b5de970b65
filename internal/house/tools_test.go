package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// needs leaves a document out whose programs cannot run here.
func needs(t *testing.T, document string) {
	t.Helper()
	text := read(t, document)
	for _, tool := range []string{"node", "openssl", "python3"} {
		if regexp.MustCompile(`(?m)^` + tool + ` `).Match(text) {
			if _, err := exec.LookPath(tool); err != nil {
				Skip(t, "the programs in "+filepath.Base(document)+" need "+tool)
			}
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// needsPandas puts a python3 that has it into bin, if a document imports it: the
// first on the path, or Debian's.
func needsPandas(t *testing.T, document, bin string) {
	t.Helper()
	if !regexp.MustCompile(`(?m)^import pandas`).Match(read(t, document)) {
		return
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		var executable []byte
		cmd := exec.Command(python, "-c", "import pandas, sys; print(sys.executable, end='')")
		if executable, _ = cmd.Output(); len(executable) > 0 {
			if err := os.Symlink(string(executable), filepath.Join(bin, "python3")); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	Skip(t, "the programs in the documents need pandas (Debian: python3-pandas)")
}
