package house

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/demotest"
)

// The script for Google Sheets writes what the API says into the cells, with
// stand-ins for Google's services that really ask the server.
func TestTheScriptForSheetsFillsThem(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		Skip(t, "the script for Google Sheets needs node")
	}
	from, to := quickstartWindow()
	demo := demotest.Start(t, to.AddDate(0, 0, -3), to)
	key := demo.Keys[demotest.Lighthouse]
	cmd := exec.Command("node", "testdata/sheets.mjs", filepath.Join(quickstartFiles(t), "apps-script.js"))
	cmd.Env = append(os.Environ(), "SIGHTLINE_BASE_URL="+demo.URL, "SIGHTLINE_API_KEY="+key)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errOut.Bytes())
	}
	var cells [][]any
	if err := json.Unmarshal(out, &cells); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var prompts []map[string]any
	ask(t, demo.URL+"/v1/products/101/prompts?domain=taskharbor.example&dateFrom="+from.Format(time.RFC3339)+"&dateTo="+to.Format(time.RFC3339), key, &prompts)
	if len(cells) != len(prompts)+1 || len(prompts) < 20 {
		t.Fatalf("%d rows of cells for %d prompts", len(cells), len(prompts))
	}
	for i, p := range prompts {
		for j, name := range cells[0] {
			want := p[name.(string)]
			if want == nil {
				want = ""
			}
			if !reflect.DeepEqual(cells[i+1][j], want) {
				t.Errorf("row %d, %s: %v, want %v", i+2, name, cells[i+1][j], want)
			}
		}
	}
}
