package agents

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// maxToken bounds what is compared for each word of a user agent.
const maxToken = 64

var (
	agentColumns    = []string{"token", "bot_type", "platform", "purpose", "operator", "doc_url", "source", "note"}
	referrerColumns = []string{"kind", "value", "platform", "source", "note"}
)

// ParseAgents reads an agent table as CSV. Errors start with name and line.
func ParseAgents(name string, r io.Reader) (agents []Agent, err error) {
	tokens := make(map[string]bool)
	platforms := make(map[string]string)
	err = readRows(name, r, agentColumns, func(f []string) error {
		a := Agent{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]}
		if err := checkAgent(a); err != nil {
			return err
		}
		key := strings.ToLower(a.Token)
		if tokens[key] {
			return fmt.Errorf("token %q is already in the table", a.Token)
		}
		if p, ok := platforms[a.BotType]; ok && p != a.Platform {
			return fmt.Errorf("bot_type %q already belongs to platform %q", a.BotType, p)
		}
		tokens[key], platforms[a.BotType] = true, a.Platform
		agents = append(agents, a)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return agents, nil
}

func checkAgent(a Agent) error {
	if a.Token == "" || len(a.Token) > maxToken || !isAlnum(a.Token[0]) {
		return fmt.Errorf("token %q must start with a letter or digit and have at most %d bytes", a.Token, maxToken)
	}
	for _, r := range a.Token {
		if r < ' ' || r > '~' {
			return fmt.Errorf("token %q must be ASCII", a.Token)
		}
	}
	if !isSlug(a.BotType) || a.BotType == api.BotTypeNone || a.BotType == api.BotTypeOther {
		return fmt.Errorf("bot_type %q must be a name in lower case, such as gptbot", a.BotType)
	}
	if err := checkPlatform(a.Platform); err != nil {
		return err
	}
	if !slices.Contains(Purposes, a.Purpose) {
		return fmt.Errorf("purpose %q must be one of %s", a.Purpose, strings.Join(Purposes, ", "))
	}
	return nil
}

// ParseReferrers reads a referrer table as CSV. Errors start with name and line.
func ParseReferrers(name string, r io.Reader) (referrers []Referrer, err error) {
	seen := make(map[string]bool)
	err = readRows(name, r, referrerColumns, func(f []string) error {
		ref := Referrer{f[0], f[1], f[2], f[3], f[4]}
		if err := checkReferrer(ref); err != nil {
			return err
		}
		key := ref.Kind + " " + strings.ToLower(ref.Value)
		if seen[key] {
			return fmt.Errorf("%s %q is already in the table", ref.Kind, ref.Value)
		}
		seen[key] = true
		referrers = append(referrers, ref)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return referrers, nil
}

func checkReferrer(r Referrer) error {
	host, _, hasPath := strings.Cut(r.Value, "/")
	switch r.Kind {
	case KindUTMMedium:
		return nil
	case KindUTMSource:
		if r.Value == "" {
			return errors.New("value is empty")
		}
	case KindHost, KindApp, KindHostPath, KindExclude:
		if !weburl.ValidDomain(host) && r.Kind != KindApp {
			return fmt.Errorf("value %q is no domain", r.Value)
		}
		if hasPath != (r.Kind == KindHostPath) || host == "" {
			return fmt.Errorf("value %q does not fit kind %s", r.Value, r.Kind)
		}
	default:
		return fmt.Errorf("kind %q must be one of host, host_path, android_app, utm_source, utm_medium, exclude", r.Kind)
	}
	if r.Kind == KindExclude {
		return nil
	}
	return checkPlatform(r.Platform)
}

func checkPlatform(platform string) error {
	if !isSlug(platform) || platform == api.PlatformNone || platform == api.PlatformOther {
		return fmt.Errorf("platform %q must be a name in lower case, such as openai", platform)
	}
	return nil
}

func isSlug(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// readRows hands the trimmed fields of every row below the header to add.
func readRows(name string, r io.Reader, columns []string, add func(fields []string) error) error {
	reader := csv.NewReader(r)
	reader.FieldsPerRecord = len(columns)
	for first := true; ; first = false {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: empty, expected the columns %s", name, strings.Join(columns, ","))
		}
		line := 1
		if parse := new(csv.ParseError); errors.As(err, &parse) {
			line, err = parse.Line, parse.Err
		} else if err == nil {
			line, _ = reader.FieldPos(0)
			err = row(fields, columns, first, add)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
}

func row(fields, columns []string, header bool, add func([]string) error) error {
	for i, field := range fields {
		fields[i] = strings.TrimSpace(field)
	}
	if !header {
		return add(fields)
	}
	// Spreadsheets put a byte order mark before the first column's name.
	fields[0] = strings.TrimPrefix(fields[0], "\uFEFF")
	if !slices.Equal(fields, columns) {
		return fmt.Errorf("the columns must be %s", strings.Join(columns, ","))
	}
	return nil
}
