//go:build strings

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

// packaged reads a file of an npm package; 'make strings' fetches them.
func packaged(t *testing.T, path string) []byte {
	t.Helper()
	dir := os.Getenv("SIGHTLINE_STRINGS")
	if dir == "" {
		t.Fatal("SIGHTLINE_STRINGS names no folder of npm packages: run 'make strings'")
	}
	text, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func isAIAgent(platform string) bool {
	return platform != api.PlatformNone && platform != api.PlatformOther
}

func TestRealAICrawlersAreBots(t *testing.T) {
	const fewest, mostMissed = 90, 3 // of 98 when this was written
	var crawlers []struct {
		Pattern         string
		Instances, Tags []string
	}
	if err := json.Unmarshal(packaged(t, "crawler-user-agents/crawler-user-agents.json"), &crawlers); err != nil {
		t.Fatal(err)
	}
	samples, missed, known := 0, 0, 0
	for _, c := range crawlers {
		if !slices.Contains(c.Tags, "ai-crawler") {
			continue
		}
		for _, userAgent := range c.Instances {
			samples++
			platform, _, bot := Default().Bot(userAgent)
			switch {
			case !bot:
				missed++
				t.Logf("taken for a human: %s: %s", c.Pattern, userAgent)
			case !isAIAgent(platform):
				t.Logf("a bot, but no AI agent: %s: %s", c.Pattern, userAgent)
			default:
				known++
			}
		}
	}
	t.Logf("%d user agents of AI crawlers: %d are bots, %d of them AI agents", samples, samples-missed, known)
	if samples < fewest {
		t.Errorf("only %d user agents were found, expected at least %d: is the tag still ai-crawler?", samples, fewest)
	}
	if missed > mostMissed {
		t.Errorf("%d of %d are taken for humans, at most %d may be", missed, samples, mostMissed)
	}
}

// Those of isbot are of every browser until 2018; those of user-agents are of
// the people of today.
func TestRealBrowsersAreNoAIAgents(t *testing.T) {
	for _, c := range []struct {
		name     string
		strings  []string
		fewest   int
		mostBots int
	}{
		{"isbot", strings.Split(strings.TrimSpace(string(packaged(t, "isbot/browsers.txt"))), "\n"), 5000, 350},
		{"user-agents", userAgents(t), 800, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bots := 0
			for _, userAgent := range c.strings {
				platform, botType, bot := Default().Bot(userAgent)
				if isAIAgent(platform) {
					t.Errorf("taken for %s of %s: %s", botType, platform, userAgent)
				}
				if bot {
					bots++
				}
			}
			t.Logf("%d user agents of browsers: %d are taken for bots", len(c.strings), bots)
			if len(c.strings) < c.fewest {
				t.Errorf("only %d user agents were found, expected at least %d", len(c.strings), c.fewest)
			}
			if bots > c.mostBots {
				t.Errorf("%d are taken for bots, at most %d may be", bots, c.mostBots)
			}
		})
	}
}

// userAgents returns the distinct ones of the package of that name.
func userAgents(t *testing.T) (distinct []string) {
	var samples []struct{ UserAgent string }
	if err := json.Unmarshal(packaged(t, "user-agents/dist/user-agents.json"), &samples); err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		distinct = append(distinct, s.UserAgent)
	}
	slices.Sort(distinct)
	return slices.Compact(distinct)
}
