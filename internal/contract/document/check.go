// Package document holds responses to the OpenAPI document: their status, their
// headers and their bodies. Tests ask it about every answer of our own server,
// and sightline check about those of any other.
package document

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

// Check returns everything that is wrong with a response of ours and its body.
func Check(req *http.Request, res *http.Response, body []byte) error {
	return errors.Join(Headers(req, res), Body(req, res, body), checkMessage(req, res, body))
}

// Body returns what is wrong with the status and the body: what every server of
// the contract promises.
func Body(req *http.Request, res *http.Response, body []byte) error {
	d, op, err := described(req, res)
	if err != nil {
		return err
	}
	plain := *op.Responses.Status(res.StatusCode).Value
	plain.Headers = nil
	return errors.Join(
		checkBody(req, res, body, &plain),
		d.validate(req, res, body, only(res.StatusCode, &openapi3.ResponseRef{Value: &plain}), req.Method != http.MethodHead),
	)
}

// Headers returns what is wrong with the headers. What is wrong with a response
// that has no description is Body's to say.
func Headers(req *http.Request, res *http.Response) error {
	d, op, err := described(req, res)
	if err != nil {
		return nil
	}
	return errors.Join(
		checkRequestID(res.Header),
		checkContentType(res.Header, op.Responses.Status(res.StatusCode).Value),
		checkDetail(res),
		checkExportHeaders(res.Header, op.Responses.Status(res.StatusCode).Value),
		d.validate(req, res, nil, op, false),
	)
}

// described returns the operation of a response, which describes its status.
func described(req *http.Request, res *http.Response) (*document, *openapi3.Operation, error) {
	d, err := load()
	if err != nil {
		return nil, nil, err
	}
	op := d.operation(req)
	if op.Responses.Status(res.StatusCode) == nil {
		// The validator would let some redirects pass.
		return nil, nil, fmt.Errorf("status %d is not documented here", res.StatusCode)
	}
	return d, op, nil
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)

func checkRequestID(h http.Header) error {
	ids := h.Values(api.HeaderRequestID)
	if len(ids) != 1 || !requestID.MatchString(ids[0]) {
		return fmt.Errorf("%s: one of 8 to 64 letters, digits, _ and - expected, got %q", api.HeaderRequestID, ids)
	}
	return nil
}

// checkContentType wants JSON without parameters, CSV with its header, and other
// documented types with whatever charset.
func checkContentType(h http.Header, response *openapi3.Response) error {
	sent := h.Get("Content-Type")
	if len(response.Content) == 0 && sent == "" {
		return nil
	}
	kind, _, err := mime.ParseMediaType(sent)
	if err != nil || response.Content[kind] == nil || (kind == api.MediaJSON && sent != kind) ||
		(kind == api.MediaCSV && !strings.HasSuffix(sent, "; header=present")) {
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

// checkMessage wants errors to be the same bytes, always.
func checkMessage(req *http.Request, res *http.Response, body []byte) error {
	message, fixed := messages[res.StatusCode]
	if !fixed || req.Method == http.MethodHead {
		return nil
	}
	want := `{"message":"` + message + `"}`
	if got := bytes.TrimSuffix(body, []byte("\n")); string(got) != want {
		return fmt.Errorf("body: exactly %s expected", want)
	}
	return nil
}

func checkBody(req *http.Request, res *http.Response, body []byte, response *openapi3.Response) error {
	if req.Method == http.MethodHead {
		if len(body) > 0 {
			return errors.New("HEAD: a body was sent")
		}
		return nil
	}
	kind := kindOf(res.Header)
	if kind == api.MediaJSON {
		return strictJSON(body)
	}
	return checkRows(kind, response, body)
}

// validate asks the validator about status, headers and body, as far as the
// operation describes them.
func (d *document) validate(req *http.Request, res *http.Response, body []byte, op *openapi3.Operation, withBody bool) error {
	asked := *req
	// The validator passes every HEAD unseen; its headers are those of a GET.
	asked.Method = http.MethodGet
	options := &openapi3filter.Options{
		IncludeResponseStatus: true,
		MultiError:            true,
		ExcludeResponseBody:   !withBody,
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
