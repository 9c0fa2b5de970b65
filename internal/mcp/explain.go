package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/sightline-hq/sightline/client"
)

// advice is an error in whole sentences: a model reads it, not a program.
type advice string

func (a advice) Error() string { return string(a) }

func advise(format string, args ...any) error { return advice(fmt.Sprintf(format, args...)) }

// explain says what a failed call means and what to do about it. The product is
// that of the call, or 0.
func (r *reader) explain(ctx context.Context, product int64, err error) error {
	var e *client.Error
	if err == nil || ctx.Err() != nil || !errors.As(err, &e) {
		return err
	}
	switch {
	case errors.Is(err, client.ErrBadRequest):
		return refused(e)
	case errors.Is(err, client.ErrUnauthorized):
		return r.unauthorized(ctx, product)
	}
	r.log.Warn("a call failed", "error", err)
	switch {
	case errors.Is(err, client.ErrTooLarge):
		return advise("The answer is too large. Narrow it: a shorter period, fewer dimensions, a platform, a label, or topLimit.")
	case e.Status == 0:
		return advise("No answer from the Sightline server (%s): %v. Ask the user whether it is running and whether "+
			"SIGHTLINE_BASE_URL of this MCP server is right; then try again.", r.base, e.Err)
	case e.Status == http.StatusRequestHeaderFieldsTooLarge, e.Status == http.StatusRequestURITooLong:
		return advise("The arguments are too long for the Sightline server (%d). Call again with fewer or shorter values, in several calls if need be.", e.Status)
	case e.Status == http.StatusServiceUnavailable:
		return advise("The Sightline server has too much to do (503%s). Wait some seconds and try again, one call at a time.", id(e))
	case e.Status >= http.StatusInternalServerError:
		return advise("The Sightline server failed (%d%s). Nothing is wrong with the arguments, but a shorter period or fewer dimensions may "+
			"work if it ran out of time. Otherwise tell the user, who finds the request id in the server's log.", e.Status, id(e))
	}
	return advise("This is not how a Sightline server answers: %v. Ask the user to check SIGHTLINE_BASE_URL of this MCP server (%s).", err, r.base)
}

func id(e *client.Error) string {
	if e.RequestID == "" {
		return ""
	}
	return ", request id " + e.RequestID
}

// refused names the parameter in the spelling of the tools.
func refused(e *client.Error) error {
	detail := strings.ReplaceAll(e.Detail, "[]:", ":")
	if detail == "" {
		detail = "it does not say why"
	}
	hint := "Correct it and call again."
	if strings.HasPrefix(detail, "labelIds:") {
		hint = "Call get_prompts without labelIds to see the labels of this product."
	}
	return advise("The Sightline server refused the request (400): %s. %s", detail, hint)
}

// unauthorized finds out what the API does not say: whether the key or the
// product is to blame. The list of products depends on the key alone.
func (r *reader) unauthorized(ctx context.Context, product int64) error {
	if product != 0 {
		products, err := r.client.Products(ctx)
		if err == nil {
			return invisible(product, products)
		}
		if !errors.Is(err, client.ErrUnauthorized) {
			return advise("The Sightline server refused access (401): either the API key is wrong or revoked, or the product is not visible to it. " +
				"Call list_products to see which.")
		}
	}
	return advise("The Sightline server does not accept the API key (401): it is wrong, was revoked, or belongs to another server. No argument can change that. " +
		"Ask the user to set SIGHTLINE_API_KEY of this MCP server to a key made with 'sightline key create', and to restart it.")
}
