package api

import "strings"

// Metric is a figure of the timeseries.
type Metric string

// The nine metrics, in the order of the contract.
const (
	BotVisits             Metric = "bot_visits"
	HumanVisits           Metric = "human_visits"
	ReferredHumanVisits   Metric = "referred_human_visits"
	AIReferredHumanVisits Metric = "ai_referred_human_visits"
	UniqueHumanVisitors   Metric = "unique_human_visitors"
	UniquePages           Metric = "unique_pages"
	UniqueHumanPages      Metric = "unique_human_pages"
	UniqueHumanPlatforms  Metric = "unique_human_platforms"
	BotUserAgents         Metric = "bot_user_agents"
)

// Metrics is the closed list; the first is the default.
var Metrics = []Metric{
	BotVisits, HumanVisits, ReferredHumanVisits, AIReferredHumanVisits,
	UniqueHumanVisitors, UniquePages, UniqueHumanPages, UniqueHumanPlatforms, BotUserAgents,
}

// Field is the name of the metric's field in a row: bot_visits is botVisits.
func (m Metric) Field() string {
	first, rest, _ := strings.Cut(string(m), "_")
	for word := range strings.SplitSeq(rest, "_") {
		first += strings.ToUpper(word[:1]) + word[1:]
	}
	return first
}

// Dimension is a column that the timeseries can be grouped by.
type Dimension string

// The five dimensions, in the order of the contract.
const (
	ByPlatform          Dimension = "platform"
	ByBotType           Dimension = "botType"
	ByURLPath           Dimension = "urlPath"
	ByNormalizedURLPath Dimension = "normalizedUrlPath"
	ByURLPathDirectory  Dimension = "urlPathDirectory"
)

// Dimensions is the closed list.
var Dimensions = []Dimension{ByPlatform, ByBotType, ByURLPath, ByNormalizedURLPath, ByURLPathDirectory}

// Interval is the length of a time bucket.
type Interval string

// The two intervals; day is the default.
const (
	Day  Interval = "day"
	Week Interval = "week"
)

// Intervals is the closed list; the first is the default.
var Intervals = []Interval{Day, Week}

// CitationGrouping says which parts of a citation report are wanted.
type CitationGrouping string

// The four groupings; all is the default.
const (
	GroupAll      CitationGrouping = "all"
	GroupProperty CitationGrouping = "property"
	GroupPage     CitationGrouping = "page"
	GroupProduct  CitationGrouping = "product"
)

// CitationGroupings is the closed list; the first is the default.
var CitationGroupings = []CitationGrouping{GroupAll, GroupProperty, GroupPage, GroupProduct}

// CitationGroupingAliases are further spellings of the groupings.
var CitationGroupingAliases = map[string]CitationGrouping{
	"byProperty": GroupProperty, "byPage": GroupPage, "byProduct": GroupProduct,
}

// Platforms a visit can have that are no AI platform.
const (
	// PlatformNone is the platform of humans whom no AI platform referred.
	PlatformNone = "none"
	// PlatformOther is the platform of bots that are no AI agent.
	PlatformOther = "other"
)

// Bot types a visit can have that are no AI agent.
const (
	// BotTypeNone is the bot type of humans.
	BotTypeNone = "none"
	// BotTypeOther is the bot type of bots that are no AI agent.
	BotTypeOther = "other"
)
