package agents

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/weburl"
)

const (
	// maxToken bounds what is compared for each word of a user agent.
	maxToken = 64
	// purposeOther is the purpose of a row that gives none.
	purposeOther = "other"
)

var (
	agentColumns = columns{
		required: []string{"token", "bot_type", "platform"},
		optional: []string{"purpose", "operator", "doc_url", "source", "note"},
	}
	referrerColumns = columns{
		required: []string{"kind", "value", "platform"},
		optional: []string{"source", "note"},
	}
)

// ParseAgents reads an agent table as CSV. Errors start with name and line.
func ParseAgents(name string, r io.Reader) (agents []Agent, err error) {
	return parseAgents(name, r, checkAgent)
}

func parseAgents(name string, r io.Reader, check func(Agent) error) (agents []Agent, err error) {
	tokens := make(map[string]bool)
	platforms := make(map[string]string)
	err = readRows(name, r, agentColumns, func(f []string) error {
		a := Agent{
			Token: f[0], BotType: f[1], Platform: f[2], Purpose: cmp.Or(f[3], purposeOther),
			Operator: f[4], DocURL: f[5], Source: f[6], Note: f[7],
		}
		if err := check(a); err != nil {
			return err
		}
		key := strings.ToLower(a.Token)
		if tokens[key] {
			return fmt.Errorf("token %q is already in the table: leave one of the two out", a.Token)
		}
		if p, ok := platforms[a.BotType]; ok && p != a.Platform {
			return fmt.Errorf("bot_type %q already belongs to platform %q: write that one, or another bot_type", a.BotType, p)
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

// writeTheName is what to do about a token that cannot be one.
const writeTheName = "write the word of the user agent that names the agent, such as GPTBot"

func checkAgent(a Agent) error {
	if a.Token == "" || len(a.Token) > maxToken || !isAlnum(a.Token[0]) {
		return fmt.Errorf("token %q must start with a letter or digit and have at most %d bytes: %s", a.Token, maxToken, writeTheName)
	}
	for _, r := range a.Token {
		if r < ' ' || r > '~' {
			return fmt.Errorf("token %q must be ASCII: %s", a.Token, writeTheName)
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
