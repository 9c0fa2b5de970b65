package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// 'make race' leaves out packages in which nothing runs at the same time: here
// they are looked at, tests included.
func TestWhatTheRaceDetectorIsSparedStartsNothing(t *testing.T) {
	found := regexp.MustCompile(`(?m)^ALONE := (.+)$`).FindSubmatch(read(t, "../../Makefile"))
	if found == nil {
		t.Fatal("the Makefile does not say what runs alone")
	}
	for name := range strings.FieldsSeq(string(found[1])) {
		files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %d files, %v", name, len(files), err)
		}
		for _, file := range files {
			positions := token.NewFileSet()
			parsed, err := parser.ParseFile(positions, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if starts(n) {
					t.Errorf("%s starts something: take %s out of ALONE in the Makefile", positions.Position(n.Pos()), name)
				}
				return true
			})
		}
	}
}

// starts says whether something begins to run beside what is there.
func starts(n ast.Node) bool {
	if _, ok := n.(*ast.GoStmt); ok {
		return true
	}
	s, ok := n.(*ast.SelectorExpr)
	return ok && (s.Sel.Name == "Go" || s.Sel.Name == "Parallel" || s.Sel.Name == "AfterFunc" || s.Sel.Name == "NewServer" || s.Sel.Name == "Command")
}
