package web

import (
	"context"
	"errors"

	"github.com/sightline-hq/sightline/client"
)

// trouble is a failure as a page shows it: what happened, and what to do.
type trouble struct {
	What, Do, RequestID string
	Refused             bool // the API did not accept the question, so it is the address that is wrong
}

// merge returns the first trouble there is.
func merge(all ...*trouble) *trouble {
	for _, t := range all {
		if t != nil {
			return t
		}
	}
	return nil
}

// explain turns an error of the client into trouble, and logs it. A page shows
// nothing of the error itself: it may name hosts that visitors need not know.
func (d *Dashboard) explain(err error) *trouble {
	if err == nil || errors.Is(err, context.Canceled) {
		return nil
	}
	var e *client.Error
	if errors.Is(err, client.ErrBadRequest) {
		d.log.Warn("the API refused a question of the dashboard", "error", err)
	} else {
		d.log.Error("the API did not answer a question of the dashboard", "error", err)
	}
	if !errors.As(err, &e) {
		return &trouble{What: "The dashboard could not ask.", Do: "Look into its log."}
	}
	t := &trouble{RequestID: e.RequestID}
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		t.What = "The API does not accept the key (401), or the product does not belong to it."
		t.Do = "Check SIGHTLINE_API_KEY or --api-key-file of this dashboard: the key may be wrong, revoked or of another team. 'sightline key list' shows the keys."
	case errors.Is(err, client.ErrBadRequest):
		t.What, t.Refused = "The API did not understand the question (400): "+e.Detail+".", true
		t.Do = "Clear the filters and choose them again."
	case errors.Is(err, context.DeadlineExceeded):
		t.What = "The API took too long."
		t.Do = "Choose a shorter period, or try again in a moment."
	case e.Status == 0:
		t.What = "The API cannot be reached."
		t.Do = "Check that 'sightline serve' runs and that --base-url of this dashboard names it. Then reload this page."
	case errors.Is(err, client.ErrUnavailable):
		t.What = "The API could not answer just now."
		t.Do = "Try again in a moment. If it stays so, the server's log says why."
	default:
		t.What = "What answered is not the API."
		t.Do = "Check --base-url of this dashboard."
	}
	return t
}
