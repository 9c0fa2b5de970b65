// Package api is the contract: the routes, the request and answer types, the
// closed lists of values, and the OpenAPI document. Server, client, command
// line and tests all read it; it imports the standard library only.
package api
