package oracle

import "github.com/sightline-hq/sightline/api"

// metric counts one figure over the visits of a row (S18).
func metric(visits []visit, m api.Metric) int64 {
	switch m {
	case api.BotVisits:
		return count(visits, isBot)
	case api.HumanVisits:
		return count(visits, isHuman)
	case api.ReferredHumanVisits:
		return count(visits, func(v visit) bool { return v.referred })
	case api.AIReferredHumanVisits:
		return count(visits, func(v visit) bool { return v.aiReferred })
	case api.UniqueHumanVisitors:
		return distinct(visits, isHuman, func(v visit) string { return v.visitor })
	case api.UniquePages:
		return distinct(visits, isBot, pageOf)
	case api.UniqueHumanPages:
		return distinct(visits, isHuman, pageOf)
	case api.UniqueHumanPlatforms:
		return distinct(visits, func(v visit) bool { return v.aiReferred }, func(v visit) string { return v.platform })
	case api.BotUserAgents:
		return distinct(visits, isBot, func(v visit) string { return v.userAgent })
	}
	panic("no such metric: " + m)
}

func isBot(v visit) bool   { return v.bot }
func isHuman(v visit) bool { return !v.bot }

// pageOf is a website and a normalized path.
func pageOf(v visit) string { return v.website + "\x00" + v.normalized }

func count(visits []visit, wanted func(visit) bool) (n int64) {
	for _, v := range visits {
		if wanted(v) {
			n++
		}
	}
	return n
}

func distinct(visits []visit, wanted func(visit) bool, value func(visit) string) int64 {
	seen := map[string]bool{}
	for _, v := range visits {
		if wanted(v) {
			seen[value(v)] = true
		}
	}
	return int64(len(seen))
}
