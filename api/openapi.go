package api

import _ "embed"

// OpenAPI is the contract as an OpenAPI 3.1 document, as it is served at
// /openapi.yaml. Tests hold it and the Go types of this package together.
//
//go:embed openapi.yaml
var OpenAPI []byte
