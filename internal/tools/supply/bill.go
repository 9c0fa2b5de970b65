package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// bill is a bill of materials in CycloneDX 1.6. It has no time in it and a number
// made of the binary's sum, so the same binary has the same bill.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Note       string     `json:"description,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []licensed `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type (
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licensed struct {
		Expression string `json:"expression"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

func (p *parts) bill() bill {
	purl := "pkg:golang/" + p.main + "@" + p.version
	own := component{Type: "application", Ref: purl, Name: p.main, Version: p.version, PURL: purl,
		Hashes: []hash{{"SHA-256", p.sha256}}, Licenses: []licensed{{"MIT"}}}
	for _, key := range []string{"GOOS", "GOARCH", "CGO_ENABLED", "-trimpath"} {
		if value, ok := p.settings[key]; ok {
			own.Properties = append(own.Properties, property{"build:" + key, value})
		}
	}
	b := bill{Format: "CycloneDX", Spec: "1.6", Serial: "urn:uuid:" + uuid(p.sha256), Version: 1, Metadata: metadata{own}}
	on := dependency{Ref: purl}
	for _, part := range p.all {
		c := component{Type: "library", Ref: part.purl, Name: part.name, Version: part.version, Note: part.note, PURL: part.purl}
		if part.licence != "NOASSERTION" {
			c.Licenses = []licensed{{part.licence}}
		}
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(part.sum, "h1:")); err == nil && len(sum) == sha256.Size {
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
			c.Properties = []property{{"go:sum", part.sum}} // of the module's files, not of an archive
		}
		b.Components = append(b.Components, c)
		b.Dependencies = append(b.Dependencies, dependency{Ref: part.purl})
		on.On = append(on.On, part.purl)
	}
	b.Dependencies = append([]dependency{on}, b.Dependencies...)
	return b
}

// uuid makes a UUID (version 8) of a sum.
func uuid(sum string) string {
	return fmt.Sprintf("%s-%s-8%s-a%s-%s", sum[:8], sum[8:12], sum[13:16], sum[17:20], sum[20:32])
}
