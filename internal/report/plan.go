package report

import (
	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// answerPlan selects answers, and says how to group them in SQL.
type answerPlan struct {
	facts.AnswerQuery
	Group    string // SQL of a whole number, from the closed lists below
	Platform string // SQL of a string, likewise
	Page     string // SQL of a string, likewise
}

func (p answerPlan) window() window { return window{p.First, p.Last} }

// Part is the window, for templates.
func (p answerPlan) Part() window { return p.window() }

// groupSQL is the group and the platform of what answers can be grouped by.
var groupSQL = map[facts.Grouping][2]string{
	facts.Together:            {"0", "''"},
	facts.ByPromptAndPlatform: {"prompt_id", "platform"},
	facts.ByDayAndPlatform:    {bucketSQL(api.Day, "ts"), "platform"},
}

// What citations can be grouped by.
const (
	pageAll  = "''"
	pageEach = "url"
)

// bucketSQL is the start of the time bucket of a column of seconds. Unix time began
// on a Thursday, three days after a Monday.
func bucketSQL(interval api.Interval, column string) string {
	if interval == api.Week {
		return column + " - (" + column + " + 259200) % 604800"
	}
	return column + " - " + column + " % 86400"
}

// timeseriesPlan selects visits, and says how to group, order and cut them.
type timeseriesPlan struct {
	window
	Totals            *totalsPlan // of whole buckets; nil: none come from there
	Edges             []window    // that are read from the visits
	WebsiteIDs        []string
	Platforms         []string // empty: all
	BotTypes          []string // empty: all
	NormalizedURLPath *string  // nil: all
	OnlyPage          bool     // the set has no visits to others
	Who               string   // condition of all metrics, bots or humans; empty: both
	Bucket            string
	Dimensions        []string // columns
	Shown             []string // expressions that show them, of grouped visits
	Keys              []string // what visits are grouped by
	Metrics           []string // expressions
	Columns           []string // all that are read
	TopLimit          int64    // 0: no limit
	Limit, Offset     int64
	WithTotal         bool // a page tells how many rows there are
	Many              bool // the engine counts visits, also if they are few
}

// column is the column of a dimension.
var column = map[api.Dimension]string{
	api.ByPlatform:          "platform",
	api.ByBotType:           "bot_type",
	api.ByURLPath:           "url_path",
	api.ByNormalizedURLPath: "normalized_url_path",
	api.ByURLPathDirectory:  "url_path_directory",
}

// Whom a metric counts.
const (
	bots     = "bot = 1"
	humans   = "bot = 0"
	referred = "bot = 0 and referred = 1"
	sentByAI = "bot = 0 and referred = 1 and platform not in ('none', 'other')"
)

// metric is a figure: what it counts, distinct or not, and for whom.
type metric struct {
	who      string
	distinct []string // columns; none: visits are counted
	reads    []string // columns, of the condition and the distinct ones
}

// metrics is the closed list: a metric that is not here does not exist. Pages
// and user agents are counted by keys, which hold within a week and so within
// every bucket.
var metrics = map[api.Metric]metric{
	api.BotVisits:             {bots, nil, []string{"bot"}},
	api.HumanVisits:           {humans, nil, []string{"bot"}},
	api.ReferredHumanVisits:   {referred, nil, []string{"bot", "referred"}},
	api.AIReferredHumanVisits: {sentByAI, nil, []string{"bot", "referred", "platform"}},
	api.UniqueHumanVisitors:   {humans, []string{"visitor"}, []string{"bot", "visitor"}},
	api.UniquePages:           {bots, []string{"website_key", "page_key"}, []string{"bot", "website_key", "page_key"}},
	api.UniqueHumanPages:      {humans, []string{"website_key", "page_key"}, []string{"bot", "website_key", "page_key"}},
	api.UniqueHumanPlatforms:  {sentByAI, []string{"platform"}, []string{"bot", "referred", "platform"}},
	api.BotUserAgents:         {bots, []string{"agent_key"}, []string{"bot", "agent_key"}},
}

// whoOf is whom all of the metrics count, bots or humans; empty if some count
// these and some those. Rows in which nobody is counted are left out anyway.
func whoOf(names []api.Metric) (who string) {
	for _, name := range names {
		next := humans
		if metrics[name].who == bots {
			next = bots
		}
		if who != "" && who != next {
			return ""
		}
		who = next
	}
	return who
}

// sql is the expression of a metric.
func (m metric) sql(d facts.Dialect) string {
	if len(m.distinct) == 0 {
		return d.CountIf(m.who)
	}
	return d.DistinctIf(m.who, m.distinct...)
}
