package agents

import "github.com/sightline-hq/sightline/api"

// verdict is what a user agent stands for.
type verdict struct {
	platform, botType string
	bot               bool
}

var (
	human    = verdict{api.PlatformNone, api.BotTypeNone, false}
	otherBot = verdict{api.PlatformOther, api.BotTypeOther, true}
)

// Bot says whether a user agent is a bot's, and whose: a listed AI agent's, or
// any other bot's (other, other). Humans are (none, none). No user agent at all
// is a bot's: every browser sends one.
func (t *Table) Bot(userAgent string) (platform, botType string, bot bool) {
	v, ok := t.cache.get(userAgent)
	if !ok {
		v = t.judge(userAgent)
		t.cache.put(userAgent, v)
	}
	return v.platform, v.botType, v.bot
}

func (t *Table) judge(userAgent string) verdict {
	if a := t.agent(userAgent); a != nil {
		return verdict{a.Platform, a.BotType, true}
	}
	if isGenericBot(userAgent) {
		return otherBot
	}
	return human
}
