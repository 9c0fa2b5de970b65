package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// What is vendored is what was published, byte for byte.
func TestVendoredFilesAreUnchanged(t *testing.T) {
	for name, want := range map[string]string{
		"LICENSE":           "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
	} {
		text, err := os.ReadFile("assets/vendor/uplot/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has changed", name)
		}
	}
}

func TestAssetsAreKeptByTheirContent(t *testing.T) {
	d := dashboardOf(t, usual())
	path := "/assets/style.css"
	named := get(t, d, path+"?v="+d.assets[path].version)
	if got := named.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") || named.Header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%v", named.Header)
	}
	for _, target := range []string{path, path + "?v=old"} {
		if got := get(t, d, target).Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: %s", target, got)
		}
	}
	get(t, d, "/").shows(t, 200, path+"?v="+d.assets[path].version)
}

func TestAnswersAreCompressedForThoseWhoTakeIt(t *testing.T) {
	d := dashboardOf(t, usual())
	for header, want := range map[string]string{"gzip": "gzip", "br, gzip;q=0.5": "gzip", "": "", "br": "", "gzip;q=0": "", "gzip; q=0.000": "", "gzip;q=0.01": "gzip"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = "127.0.0.1"
		r.Header.Set("Accept-Encoding", header)
		res := request(t, d, r)
		if got := res.Header.Get("Content-Encoding"); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
		text := res.body
		if want == "gzip" {
			z, err := gzip.NewReader(strings.NewReader(res.body))
			if err != nil {
				t.Fatal(err)
			}
			plain, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			text = string(plain)
		}
		if !strings.Contains(text, "</html>") {
			t.Errorf("%q: half a page", header)
		}
	}
}
