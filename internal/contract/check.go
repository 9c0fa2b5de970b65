package contract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/sightline-hq/sightline/api"
)

// messages are the only things that bodies of errors say.
var messages = map[int]string{
	http.StatusBadRequest:          api.MessageBadRequest,
	http.StatusUnauthorized:        api.MessageUnauthorized,
	http.StatusNotFound:            api.MessageNotFound,
	http.StatusMethodNotAllowed:    api.MessageMethodNotAllowed,
	http.StatusInternalServerError: api.MessageInternal,
	http.StatusServiceUnavailable:  api.MessageOverloaded,
}

// Check returns everything that is wrong with a response and its body.
func Check(req *http.Request, res *http.Response, body []byte) error {
	doc, err := load()
	if err != nil {
		return err
	}
	op := doc.operation(req)
	response := op.Responses.Status(res.StatusCode)
	if response == nil {
		// The validator below would let some redirects pass.
		return fmt.Errorf("status %d is not documented here", res.StatusCode)
	}
	return errors.Join(
		checkRequestID(res.Header),
		checkContentType(res.Header, response.Value),
		checkDetail(res),
		checkBody(req, res, body),
		doc.validate(req, res, body, op),
	)
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)

func checkRequestID(h http.Header) error {
	ids := h.Values(api.HeaderRequestID)
	if len(ids) != 1 || !requestID.MatchString(ids[0]) {
		return fmt.Errorf("%s: one of 8 to 64 letters, digits, _ and - expected, got %q", api.HeaderRequestID, ids)
	}
	return nil
}

// checkContentType wants JSON without parameters, and other documented types
// with whatever charset.
func checkContentType(h http.Header, response *openapi3.Response) error {
	sent := h.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(sent)
	if err != nil || response.Content[kind] == nil || (kind == "application/json" && sent != kind) {
		return fmt.Errorf("header Content-Type: %q is not documented here", sent)
	}
	return nil
}

// checkDetail keeps reasons out of every answer but the 400.
func checkDetail(res *http.Response) error {
	if detail := res.Header.Values(api.HeaderErrorDetail); len(detail) > 0 && res.StatusCode != http.StatusBadRequest {
		return fmt.Errorf("%s: only a 400 may carry it, got %q", api.HeaderErrorDetail, detail)
	}
	return nil
}

func checkBody(req *http.Request, res *http.Response, body []byte) error {
	if req.Method == http.MethodHead {
		if len(body) > 0 {
			return errors.New("HEAD: a body was sent")
		}
		return nil
	}
	if message, fixed := messages[res.StatusCode]; fixed {
		want := `{"message":"` + message + `"}`
		if got := bytes.TrimSuffix(body, []byte("\n")); string(got) != want {
			return fmt.Errorf("body: exactly %s expected", want)
		}
	}
	if res.Header.Get("Content-Type") == "application/json" {
		return strictJSON(body)
	}
	return nil
}

// validate asks the validator about status, headers and body.
func (d *document) validate(req *http.Request, res *http.Response, body []byte, op *openapi3.Operation) error {
	asked := *req
	// The validator passes every HEAD unseen; its headers are those of a GET.
	asked.Method = http.MethodGet
	options := &openapi3filter.Options{
		IncludeResponseStatus: true,
		MultiError:            true,
		ExcludeResponseBody:   req.Method == http.MethodHead,
	}
	options.WithCustomSchemaErrorFunc(func(err *openapi3.SchemaError) string {
		return fmt.Sprintf("/%s: %s", strings.Join(err.JSONPointer(), "/"), err.Reason)
	})
	return openapi3filter.ValidateResponse(req.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: &asked,
			Route:   &routers.Route{Spec: d.spec, Method: asked.Method, Operation: op},
		},
		Status:  res.StatusCode,
		Header:  res.Header,
		Body:    io.NopCloser(bytes.NewReader(body)),
		Options: options,
	})
}
