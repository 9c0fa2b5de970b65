package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// part is something that the binary is made of.
type part struct {
	name, version string
	licence       string // SPDX
	text          []byte // of the licence
	purl          string
	sum           string // of a module, as go.sum has it
	note          string // how it comes in
}

// parts is a binary, taken apart.
type parts struct {
	main, version string
	goVersion     string
	sha256        string
	settings      map[string]string
	all           []part
}

const duckdbModule = "github.com/duckdb/duckdb-go-bindings/lib/"

// versionOf asks the program itself: Go writes "(devel)" into what is built from a
// folder.
func versionOf(binary string) (string, error) {
	path, err := filepath.Abs(binary)
	if err != nil {
		return "", err
	}
	out, err := exec.Command(path, "version").Output()
	if err != nil {
		return "", fmt.Errorf("%s version: %w", binary, err)
	}
	version, _, ok := strings.Cut(strings.TrimPrefix(string(out), "sightline "), ", go")
	if !ok || version == "" {
		return "", fmt.Errorf("%s version says %q", binary, out)
	}
	return version, nil
}

// partsOf reads a binary. It fails if the licence of any part is not known.
func partsOf(binary string) (*parts, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	p := &parts{main: info.Main.Path, goVersion: info.GoVersion, settings: make(map[string]string)}
	for _, s := range info.Settings {
		p.settings[s.Key] = s.Value
	}
	if p.sha256, err = sumOf(binary); err != nil {
		return nil, err
	}
	var paths []string
	for _, d := range info.Deps {
		if d.Replace != nil {
			return nil, fmt.Errorf("%s is replaced by %s: nobody could find it", d.Path, d.Replace.Path)
		}
		paths = append(paths, d.Path)
	}
	folders, err := foldersOf(paths)
	if err != nil {
		return nil, err
	}
	for _, d := range info.Deps {
		module := part{name: d.Path, version: d.Version, purl: "pkg:golang/" + d.Path + "@" + d.Version, sum: d.Sum}
		if module.licence, module.text, err = licenceIn(folders[d.Path]); err != nil {
			return nil, fmt.Errorf("%s %s: %w", d.Path, d.Version, err)
		}
		p.all = append(p.all, module)
		if strings.HasPrefix(d.Path, duckdbModule) {
			within, err := duckdbParts(folders[d.Path], module)
			if err != nil {
				return nil, err
			}
			p.all = append(p.all, within...)
		}
	}
	p.all = append(p.all, part{name: "Go standard library", version: p.goVersion, licence: "BSD-3-Clause",
		purl: "pkg:golang/std@" + strings.TrimPrefix(p.goVersion, "go"), text: goLicence()})
	vendored, err := vendoredParts()
	p.all = append(p.all, vendored...)
	if err != nil {
		return nil, err
	}
	return p, p.addShared(binary)
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// foldersOf finds modules in the module cache.
func foldersOf(paths []string) (map[string]string, error) {
	out, err := exec.Command("go", append([]string{"list", "-m", "-json"}, paths...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m: %w", err)
	}
	folders := make(map[string]string)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return folders, nil
		} else if err != nil {
			return nil, err
		}
		folders[m.Path] = m.Dir
	}
}

// duckdbParts are the C++ libraries that a module of prebuilt ones brings in:
// DuckDB, whose version the module's tells, and what is built into it.
func duckdbParts(folder string, module part) (all []part, err error) {
	m := regexp.MustCompile(`^v0\.(\d)(\d\d)(\d\d)\.`).FindStringSubmatch(module.version)
	if m == nil {
		return nil, fmt.Errorf("%s %s: which DuckDB is that", module.name, module.version)
	}
	minor, _ := strconv.Atoi(m[2])
	patch, _ := strconv.Atoi(m[3])
	version := fmt.Sprintf("%s.%d.%d", m[1], minor, patch)
	all = append(all, part{name: "DuckDB", version: version, licence: module.licence, text: module.text,
		purl: "pkg:github/duckdb/duckdb@v" + version, note: "C++ library, linked in by " + module.name})
	archives, err := filepath.Glob(filepath.Join(folder, "libduckdb_*.a"))
	if err != nil || len(archives) == 0 {
		return nil, errors.Join(fmt.Errorf("%s has no libraries", folder), err)
	}
	for _, a := range archives {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(a), "libduckdb_"), ".a")
		licence, third := withinDuckDB[name]
		switch {
		case name == "static" || name == "generated_extension_loader": // DuckDB itself
		case !third:
			return nil, fmt.Errorf("the licence of %s, which is built into DuckDB %s, is not known: look it up, and add it to withinDuckDB", name, version)
		default:
			all = append(all, part{name: "DuckDB/" + name, version: version, licence: licence, purl: "pkg:generic/duckdb-" + name + "@" + version, note: "third party code in DuckDB, of its version"})
		}
	}
	return all, nil
}

// withinDuckDB are the licences of third party code in DuckDB's third_party.
var withinDuckDB = map[string]string{
	"fastpforlib": "Apache-2.0", "fmt": "MIT", "fsst": "MIT", "hyperloglog": "BSD-3-Clause", "jemalloc": "BSD-2-Clause",
	"mbedtls": "Apache-2.0", "miniz": "MIT", "pg_query": "BSD-3-Clause", "re2": "BSD-3-Clause", "skiplistlib": "MIT",
	"utf8proc": "MIT", "yyjson": "MIT", "zstd": "BSD-3-Clause",
}

// vendoredParts are what lies in this repository and goes into the binary.
func vendoredParts() ([]part, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, err
	}
	folders, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "web/assets/vendor/*"))
	if err != nil || len(folders) == 0 {
		return nil, errors.Join(errors.New("web/assets/vendor is empty"), err)
	}
	var all []part
	for _, folder := range folders {
		licence, text, err := licenceIn(folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		name, version := filepath.Base(folder), vendoredVersion(folder)
		if version == "" {
			return nil, fmt.Errorf("%s: no file says the version", folder)
		}
		all = append(all, part{name: name, version: version, licence: licence, text: text, purl: "pkg:npm/" + name + "@" + version, note: "vendored, served by the dashboard"})
	}
	return all, nil
}

// vendoredVersion is what the first lines of a file say, such as (v1.6.32).
func vendoredVersion(folder string) string {
	files, _ := filepath.Glob(filepath.Join(folder, "*.js"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		if m := regexp.MustCompile(`\(v(\d+\.\d+\.\d+)\)`).FindSubmatch(text[:min(len(text), 500)]); m != nil {
			return string(m[1])
		}
	}
	return ""
}

func goLicence() []byte {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil
	}
	text, _ := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	return text
}

// addShared lists the shared libraries that the system provides at run time.
func (p *parts) addShared(binary string) error {
	f, err := elf.Open(binary)
	if err != nil {
		return nil // not a binary for Linux
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	slices.Sort(libraries)
	for _, l := range libraries {
		p.all = append(p.all, part{name: l, version: "of the system", licence: "NOASSERTION", purl: "pkg:generic/" + l, note: "shared library, not part of the binary"})
	}
	return err
}
