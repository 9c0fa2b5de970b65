package report

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// watched is facts that nobody may ask.
type watched struct {
	facts.Set
	asked bool
}

func (w *watched) Acquire() (facts.Set, error) { return w, nil }
func (w *watched) Close()                      {}
func (w *watched) Query(context.Context, facts.Statement, func(facts.Scan) error) error {
	w.asked = true
	return nil
}
func (w *watched) Dialect() facts.Dialect                           { return nil }
func (w *watched) Table(facts.Table, []string, int64, int64) string { return "" }
func (w *watched) Within(facts.Table, int64, int64) string          { return "" }

// Anybody can write catalog.Primary{}; it is no product, and gets no answer.
func TestAReportOnNobodysProductAsksNothing(t *testing.T) {
	window := api.Window{}
	for name, run := range map[string]func(r *Reports) (any, error){
		"websites": func(*Reports) (any, error) { return Websites(catalog.Primary{}), nil },
		"prompts": func(r *Reports) (any, error) {
			return r.Prompts(t.Context(), catalog.Primary{}, api.PromptsRequest{Window: window})
		},
		"summary": func(r *Reports) (any, error) {
			return r.PromptSummary(t.Context(), catalog.Primary{}, api.PromptsRequest{})
		},
		"dates": func(r *Reports) (any, error) {
			return r.PromptDates(t.Context(), catalog.Primary{}, api.PromptsRequest{})
		},
		"citations": func(r *Reports) (any, error) {
			return r.Citations(t.Context(), catalog.Primary{}, api.CitationsRequest{})
		},
		"timeseries": func(r *Reports) (any, error) {
			return r.Timeseries(t.Context(), catalog.Primary{}, api.TimeseriesRequest{PerPage: 1, Page: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			source := &watched{}
			defer func() {
				if recover() == nil || source.asked {
					t.Errorf("it was answered; facts were asked: %v", source.asked)
				}
			}()
			_, _ = run(&Reports{Facts: source})
		})
	}
	if got := Products(catalog.Scope{}); len(got) != 0 {
		t.Errorf("the empty scope sees %v", got)
	}
}

// Whatever a caller can ask of this package takes what only a scope can make.
func TestEveryReportTakesAScope(t *testing.T) {
	primary := reflect.TypeFor[catalog.Primary]()
	noReport := map[string]bool{"Pin": true} // gives reports, and no answer
	reports := reflect.TypeFor[*Reports]()
	for i := range reports.NumMethod() {
		m := reports.Method(i)
		if noReport[m.Name] {
			continue
		}
		if m.Type.NumIn() < 3 || m.Type.In(2) != primary {
			t.Errorf("Reports.%s does not take a catalog.Primary: %s", m.Name, m.Type)
		}
	}
	if reports.NumMethod() < 6 {
		t.Fatalf("Reports has %d methods", reports.NumMethod())
	}
	functions := 0
	eachFunction(t, func(file string, f *ast.FuncDecl) {
		switch first := firstParameter(f); {
		case f.Recv != nil || !f.Name.IsExported():
		case first != "catalog.Scope" && first != "catalog.Primary":
			t.Errorf("%s: %s begins with %q, want a scope or a primary product", file, f.Name.Name, first)
		default:
			functions++
		}
	})
	if functions < 2 {
		t.Errorf("%d functions found", functions)
	}
}

// A selection of answers says whose they are. It is made in one place, which has
// a primary product before it.
func TestAnswersAreSelectedForAPrimaryProductAlone(t *testing.T) {
	made := 0
	eachFunction(t, func(file string, f *ast.FuncDecl) {
		ast.Inspect(f, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok || len(literal.Elts) == 0 {
				return true
			}
			if name, ok := literal.Type.(*ast.Ident); ok && name.Name == "selection" {
				made++
				if firstParameter(f) != "catalog.Primary" {
					t.Errorf("%s: %s selects answers without a primary product", file, f.Name.Name)
				}
			}
			return true
		})
	})
	if made != 1 {
		t.Errorf("answers are selected in %d places, want 1", made)
	}
}

// eachFunction calls f with the functions of this package, without its tests.
func eachFunction(t *testing.T, do func(file string, f *ast.FuncDecl)) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				do(name, f)
			}
		}
	}
}

// firstParameter is the type of a function's first parameter, as written.
func firstParameter(f *ast.FuncDecl) string {
	if len(f.Type.Params.List) == 0 {
		return ""
	}
	selector, ok := f.Type.Params.List[0].Type.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	from, _ := selector.X.(*ast.Ident)
	return from.Name + "." + selector.Sel.Name
}
