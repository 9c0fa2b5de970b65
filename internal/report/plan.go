package report

import (
	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// answerPlan selects answers, and says how to group them.
type answerPlan struct {
	window
	PromptIDs  []int64
	Platforms  []string // empty: all
	ProductIDs []int64  // the comparison: nothing of other products is read
	Group      string   // SQL of a whole number, from the closed lists below
	Platform   string   // SQL of a string, likewise
	Page       string   // SQL of a string, likewise
}

// What answers can be grouped by.
const (
	groupAll     = "0"
	groupPrompt  = "prompt_id"
	platformAll  = "''"
	platformEach = "platform"
	pageAll      = "''"
	pageEach     = "url"
)

// The start of a time bucket, in seconds. Unix time began on a Thursday, three
// days after a Monday.
var bucketSQL = map[api.Interval]string{
	api.Day:  "ts - ts % 86400",
	api.Week: "ts - (ts + 259200) % 604800",
}

// timeseriesPlan selects visits, and says how to group, order and cut them.
type timeseriesPlan struct {
	window
	WebsiteIDs        []string
	Platforms         []string // empty: all
	BotTypes          []string // empty: all
	NormalizedURLPath *string  // nil: all
	Bucket            string
	Dimensions        []string // columns
	Metrics           []string // expressions
	TopLimit          int64    // 0: no limit
	Limit, Offset     int64
}

// column is the column of a dimension.
var column = map[api.Dimension]string{
	api.ByPlatform:          "platform",
	api.ByBotType:           "bot_type",
	api.ByURLPath:           "url_path",
	api.ByNormalizedURLPath: "normalized_url_path",
	api.ByURLPathDirectory:  "url_path_directory",
}

// metricSQL is the closed list of figures: a metric that is not here does not exist.
func metricSQL(m api.Metric, d facts.Dialect) string {
	const (
		bot      = "bot = 1"
		human    = "bot = 0"
		referred = "bot = 0 and referred = 1"
		byAI     = "bot = 0 and referred = 1 and platform not in ('none', 'other')"
	)
	switch m {
	case api.BotVisits:
		return d.CountIf(bot)
	case api.HumanVisits:
		return d.CountIf(human)
	case api.ReferredHumanVisits:
		return d.CountIf(referred)
	case api.AIReferredHumanVisits:
		return d.CountIf(byAI)
	case api.UniqueHumanVisitors:
		return d.DistinctIf(human, "visitor")
	case api.UniquePages:
		return d.DistinctIf(bot, "website_id", "normalized_url_path")
	case api.UniqueHumanPages:
		return d.DistinctIf(human, "website_id", "normalized_url_path")
	case api.UniqueHumanPlatforms:
		return d.DistinctIf(byAI, "platform")
	case api.BotUserAgents:
		return d.DistinctIf(bot, "user_agent")
	}
	panic("report: unknown metric " + string(m))
}
