package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// marks are phrases by which licences are told. Of those with the same family,
// the first that fits counts.
var marks = []struct {
	family, licence string
	phrases         []string
}{
	{"MPL", "MPL-2.0", []string{"mozilla public license, version 2.0"}},
	{"Apache", "Apache-2.0", []string{"apache license version 2.0"}},
	{"GPL", "GPL", []string{"gnu general public license"}},
	{"GPL", "LGPL", []string{"gnu lesser general public license"}},
	{"BSD", "BSD-3-Clause", []string{redistribution, "neither the name"}},
	{"BSD", "BSD-3-Clause", []string{redistribution, "may not be used to endorse"}},
	{"BSD", "BSD-3-Clause", []string{redistribution, "names of its contributors may be used"}},
	{"BSD", "BSD-2-Clause", []string{redistribution}},
	{"MIT", "MIT", []string{"permission is hereby granted, free of charge", "the software is provided \"as is\""}},
	{"ISC", "ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"free", "Unlicense", []string{"this is free and unencumbered software released into the public domain"}},
}

const redistribution = "redistribution and use in source and binary forms"

// allowed are the licences under which the binary may be passed on.
var allowed = map[string]bool{
	"MPL-2.0": true, "Apache-2.0": true, "BSD-3-Clause": true, "BSD-2-Clause": true, "MIT": true, "ISC": true, "Unlicense": true,
}

var space = regexp.MustCompile(`[\s*#/]+`)

// licenceOf tells a licence by its text; several that hold together are joined
// by AND, as SPDX has it.
func licenceOf(text string) (string, error) {
	plain := space.ReplaceAllString(strings.ToLower(text), " ")
	plain = strings.NewReplacer("“", `"`, "”", `"`).Replace(plain)
	families := make(map[string]bool)
	var found []string
	for _, m := range marks {
		missing := func(phrase string) bool { return !strings.Contains(plain, phrase) }
		if families[m.family] || slices.ContainsFunc(m.phrases, missing) {
			continue
		}
		if !allowed[m.licence] {
			return "", fmt.Errorf("the licence is %s, which does not suit a binary under MIT", m.licence)
		}
		families[m.family] = true
		found = append(found, m.licence)
	}
	if len(found) == 0 {
		return "", errors.New("the licence is not known: read it, and add it to marks")
	}
	return strings.Join(found, " AND "), nil
}

// licenceIn finds the licence of a folder.
func licenceIn(folder string) (licence string, text []byte, err error) {
	for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING"} {
		text, err = os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			licence, err = licenceOf(string(text))
			return licence, text, err
		}
	}
	return "", nil, fmt.Errorf("no licence in %s", filepath.Base(folder))
}
