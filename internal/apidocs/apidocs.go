// Package apidocs renders the OpenAPI document as a web page for people. The
// page is one file: it needs no script, no other host and no other request.
package apidocs

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"sync"

	"github.com/sightline-hq/sightline/api"
)

//go:embed page.html
var pageTemplate string

//go:embed style.css
var style string

// Page returns the page. It is rendered once; callers must not change it.
func Page() ([]byte, error) { return rendered() }

var rendered = sync.OnceValues(func() ([]byte, error) { return render(api.OpenAPI) })

func render(openAPI []byte) ([]byte, error) {
	doc, err := parse(openAPI)
	if err != nil {
		return nil, err
	}
	view, err := doc.view()
	if err != nil {
		return nil, fmt.Errorf("show the OpenAPI document: %w", err)
	}
	view.Style = template.CSS(style)
	tmpl, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := tmpl.Execute(&out, view); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
