package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxSecret is more than a secret needs: a file that holds none is not read whole.
const maxSecret = 4096

// apiKey reads the key of a client from a file ("-" is standard input) or the
// environment. There is no flag for it: other users of a machine can see
// command lines.
func (a *app) apiKey(file string) (string, error) {
	if file != "" {
		return a.readSecret("--api-key-file", file)
	}
	if key := strings.TrimSpace(a.getenv("SIGHTLINE_API_KEY")); key != "" {
		return key, nil
	}
	return "", usageError{errors.New("no API key: put it into the variable SIGHTLINE_API_KEY, or name a file that holds it with --api-key-file ('sightline key create' makes one)")}
}

// readSecret reads the file that a flag names.
func (a *app) readSecret(flag, file string) (string, error) {
	in := a.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", fmt.Errorf("%s: %w", flag, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSecret+1))
	secret := strings.TrimSpace(string(text))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", flag, err)
	case secret == "":
		return "", fmt.Errorf("%s %s is empty", flag, file)
	case len(text) > maxSecret:
		return "", fmt.Errorf("%s %s is too long for a secret", flag, file)
	}
	return secret, nil
}
