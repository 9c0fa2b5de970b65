package server

import (
	"net/http"
	"strconv"

	"github.com/sightline-hq/sightline/internal/apidocs"
)

// document serves a fixed text that needs no key.
func document(contentType string, text []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noteOf(r).route = r.URL.Path
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Content-Length", strconv.Itoa(len(text)))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'")
		w.WriteHeader(http.StatusOK)
		if r.Method != http.MethodHead {
			w.Write(text)
		}
	})
}

// docsPage renders the page at /docs. The document is part of the binary and
// tested, so a failure is a mistake of ours.
func docsPage() []byte {
	page, err := apidocs.Page()
	if err != nil {
		panic(err)
	}
	return page
}
