package document

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/sightline-hq/sightline/api"
)

// document is the OpenAPI document, ready for look-ups.
type document struct {
	spec *openapi3.T
	// routes finds paths exactly as a server built on http.ServeMux does.
	routes *http.ServeMux
	// unknownPath and otherMethod describe the answers to what is not routed.
	unknownPath, otherMethod *openapi3.Operation
}

// load reads the document once: it is the same for every test of a process.
var load = sync.OnceValues(func() (*document, error) {
	for _, kind := range []string{"text/html", api.MediaCSV, api.MediaNDJSON, api.MediaParquet} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.PlainBodyDecoder)
	}
	spec, err := openapi3.NewLoader().LoadFromData(api.OpenAPI)
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	if err := spec.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	d := &document{spec: spec, routes: http.NewServeMux()}
	for p := range spec.Paths.Map() {
		d.routes.Handle(p, http.NotFoundHandler())
	}
	d.unknownPath = only(http.StatusNotFound, spec.Components.Responses["NotFound"])
	d.otherMethod = only(http.StatusMethodNotAllowed, spec.Components.Responses["MethodNotAllowed"])
	return d, nil
})

// only makes an operation that has a single response.
func only(status int, response *openapi3.ResponseRef) *openapi3.Operation {
	return &openapi3.Operation{Responses: openapi3.NewResponses(openapi3.WithStatus(status, response))}
}

// operation returns the description of a request's answers.
func (d *document) operation(req *http.Request) *openapi3.Operation {
	if p := req.URL.EscapedPath(); p != path.Clean(p) {
		return d.unknownPath
	}
	_, template := d.routes.Handler(req)
	item := d.spec.Paths.Value(template)
	switch {
	case item == nil:
		return d.unknownPath
	case req.Method != http.MethodGet && req.Method != http.MethodHead:
		return d.otherMethod
	}
	return item.Get
}
