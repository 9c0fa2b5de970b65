package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

// built is the program. (Go does not write into tests what they are made of.)
func built(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "sightline")
	if out, err := exec.Command("go", "build", "-ldflags", "-X main.version=v1.2.3-4-gabc", "-o", binary, "github.com/sightline-hq/sightline/cmd/sightline").CombinedOutput(); err != nil {
		t.Fatalf("go build: %s", out)
	}
	return binary
}

func TestTheBillNamesWhatIsInTheBinary(t *testing.T) {
	binary := built(t)
	var out, again bytes.Buffer
	for _, to := range []*bytes.Buffer{&out, &again} {
		if err := run([]string{"sbom", binary}, to); err != nil {
			t.Fatal(err)
		}
	}
	if out.String() != again.String() {
		t.Error("the same binary has two bills")
	}
	var b bill
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	versions, refs := make(map[string]string), make(map[string]bool)
	for _, c := range b.Components {
		if c.Version == "" || c.Name == "" || refs[c.Ref] {
			t.Errorf("component %+v", c)
		}
		versions[c.Name], refs[c.Ref] = c.Version, true
	}
	listed, err := exec.Command("go", "version", "-m", binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := 0
	for line := range strings.Lines(string(listed)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == "dep" {
			modules++
			if versions[fields[1]] != fields[2] {
				t.Errorf("%s %s is listed as %q", fields[1], fields[2], versions[fields[1]])
			}
		}
	}
	if modules < 20 || versions["uplot"] == "" || versions["Go standard library"] == "" || versions["libc.so.6"] == "" || versions["DuckDB/re2"] == "" {
		t.Errorf("%d modules in %v", modules, versions)
	}
	if got, want := "v"+versions["DuckDB"], duckdbVersion(t); got != want {
		t.Errorf("the bill says DuckDB %s, the engine says %s", got, want)
	}
	if own := b.Metadata.Component; own.Version != "v1.2.3-4-gabc" || own.PURL != "pkg:golang/github.com/sightline-hq/sightline@v1.2.3-4-gabc" {
		t.Errorf("the program itself is %q, %q", own.Version, own.PURL)
	}
	if b.Format != "CycloneDX" || len(b.Dependencies) != len(b.Components)+1 || len(b.Dependencies[0].On) != len(b.Components) || len(b.Metadata.Component.Hashes) != 1 {
		t.Errorf("%s with %d dependencies of %d components", b.Format, len(b.Dependencies), len(b.Components))
	}
	licences(t, binary)
}

func duckdbVersion(t *testing.T) (version string) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("select version()").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

// licences holds the list and the texts to the binary; it shares the build.
func licences(t *testing.T, binary string) {
	file := filepath.Join(t.TempDir(), "licences.txt")
	var out bytes.Buffer
	if err := run([]string{"licences", binary, file}, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"github.com/duckdb/duckdb-go-bindings", "Stichting DuckDB Foundation", "The Go Authors"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the texts lack %q", want)
		}
	}
	if !strings.Contains(out.String(), "MIT") || strings.Count(out.String(), "\n") < 20 {
		t.Errorf("the list is %s", out.String())
	}
}

func TestLicencesAreToldByTheirText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"MIT", "Permission is hereby granted,\nfree of charge, … THE SOFTWARE IS PROVIDED \"AS IS\"", "MIT"},
		{"BSD with three clauses", "Redistribution and use in source and\n * binary forms … Neither the name of", "BSD-3-Clause"},
		{"BSD with two", "Redistribution and use in source and binary forms", "BSD-2-Clause"},
		{"Apache", "Apache License\n   Version 2.0, January 2004", "Apache-2.0"},
		{"two together", "Redistribution and use in source and binary forms, neither the name … Apache License\nVersion 2.0", "Apache-2.0 AND BSD-3-Clause"},
		{"GPL", "GNU GENERAL PUBLIC LICENSE Version 3", "the licence is GPL, which does not suit a binary under MIT"},
		{"nobody's", "All rights reserved.", "the licence is not known: read it, and add it to marks"},
		{"empty", "", "the licence is not known: read it, and add it to marks"},
	} {
		got, err := licenceOf(c.text)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
