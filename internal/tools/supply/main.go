// Command supply says what a built binary is made of: as a bill of materials in
// CycloneDX JSON, or as a list of licences with their texts. It takes what Go
// has written into the binary, not what go.mod might mean.
//
//	supply sbom bin/sightline >bin/sightline.cdx.json
//	supply licences bin/sightline bin/licences.txt
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "supply:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "sbom":
		parts, err := partsOf(args[1])
		if err != nil {
			return err
		}
		if parts.version, err = versionOf(args[1]); err != nil {
			return err
		}
		to := json.NewEncoder(out)
		to.SetIndent("", "  ")
		return to.Encode(parts.bill())
	case len(args) == 3 && args[0] == "licences":
		parts, err := partsOf(args[1])
		if err != nil {
			return err
		}
		if err := parts.print(out); err != nil {
			return err
		}
		return os.WriteFile(args[2], parts.texts(), 0o644)
	}
	return errors.New("usage: supply sbom BINARY | supply licences BINARY FILE")
}

// print lists the licences.
func (p *parts) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PART\tVERSION\tLICENCE")
	for _, part := range p.all {
		fmt.Fprintf(t, "%s\t%s\t%s\n", part.name, part.version, part.licence)
	}
	return t.Flush()
}

// texts are the licences themselves, which have to go along with the binary.
func (p *parts) texts() (all []byte) {
	for _, part := range p.all {
		if len(part.text) > 0 {
			all = fmt.Appendf(all, "%s %s\n\n%s\n\n----------------------------------------\n\n", part.name, part.version, part.text)
		}
	}
	return all
}
