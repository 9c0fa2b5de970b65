package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
)

//go:embed assets
var assetFiles embed.FS

// asset is a file that pages load. Its URL names its content, so that a browser
// may keep it for ever and never has a stale one.
type asset struct {
	contentType, version string
	body                 []byte
}

// assetTypes are the files that are served; licences and notes are not.
var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

func readAssets() (map[string]asset, error) {
	all := make(map[string]asset)
	err := fs.WalkDir(assetFiles, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || assetTypes[path.Ext(name)] == "" {
			return err
		}
		body, err := assetFiles.ReadFile(name)
		sum := sha256.Sum256(body)
		all["/"+name] = asset{assetTypes[path.Ext(name)], hex.EncodeToString(sum[:6]), body}
		return err
	})
	return all, err
}

func (d *Dashboard) asset(w http.ResponseWriter, r *http.Request) {
	a, ok := d.assets[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.URL.Query().Get("v") == a.version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	send(w, r, http.StatusOK, a.contentType, a.body)
}
