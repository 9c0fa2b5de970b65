package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// needs leaves a document out whose programs cannot run here. The python3 that
// has what the document imports is put into bin.
func needs(t *testing.T, document, bin string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"node", "python3"} {
		if regexp.MustCompile(`(?m)^` + tool + ` `).Match(text) {
			if _, err := exec.LookPath(tool); err != nil {
				Skip(t, "the programs in "+filepath.Base(document)+" need "+tool)
			}
		}
	}
	if regexp.MustCompile(`(?m)^import pandas`).Match(text) {
		if err := os.Symlink(pandas(t), filepath.Join(bin, "python3")); err != nil {
			t.Fatal(err)
		}
	}
}

// pandas is a python3 that has it: the first on the path, or Debian's.
func pandas(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		var executable []byte
		cmd := exec.Command(python, "-c", "import pandas, sys; print(sys.executable, end='')")
		if executable, _ = cmd.Output(); len(executable) > 0 {
			return string(executable)
		}
	}
	Skip(t, "the programs in the documents need pandas (Debian: python3-pandas)")
	return ""
}
