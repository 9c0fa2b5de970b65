package facts

import (
	"context"
	"errors"
)

// AnswerReader is a Set that counts answers without SQL, from what was packed when
// they were loaded. It is faster, and must give the same.
type AnswerReader interface {
	// Tally counts mentions in the selected answers, group by group, in any order.
	Tally(ctx context.Context, q AnswerQuery, by Grouping) ([]*Tally, error)
	// Cited counts the citations of the selected answers, in any order; their
	// pages only if asked to.
	Cited(ctx context.Context, q AnswerQuery, pages bool) (Cited, error)
}

// Reader is a Set that gives few visits, and what was counted about all when they
// were loaded, without SQL. It is faster, and must give the same.
type Reader interface {
	// Totals calls each for the rows of Totals, DirectoryTotals or BusyPages that a query
	// selects, and Agents for those of AgentTotals, in any order. They fail with ErrTooMany if
	// SQL should be asked for them.
	Totals(ctx context.Context, q TotalsQuery, each func(*TotalsRow)) error
	Agents(ctx context.Context, q TotalsQuery, each func(*AgentsRow)) error
	// Few calls each for the visits that a query selects, with a visit that it uses
	// again, if their weeks have at most FewVisits; otherwise it says that there are
	// more. They come in any order, but those of a website in an ISO week together.
	Few(ctx context.Context, q VisitQuery, each func(*SeenVisit)) (few bool, err error)
}

// FewVisits is how many are better counted one by one than by an engine.
const FewVisits = 20_000

// VisitQuery selects visits to websites between two seconds.
type VisitQuery struct {
	WebsiteIDs   []string
	First, Last  int64
	Bots, Humans bool // which of them
}

// SeenVisit is a visit as reports see it.
type SeenVisit struct {
	*SeenWeek
	Second            int64
	Bot, Referred     bool
	Visitor           uint64
	Agent, PageNumber uint32 // what stands for a bot's user agent within an ISO week of one call, and for a page of a website
	*Origin
	*Page
	Words Words // for the texts of Origin and Page
}

// SeenWeek is the ISO week of a website that a visit is in. It is another one for
// every week and website.
type SeenWeek struct {
	Website int   // its place in the query
	Start   int64 // of the week
	Visits  int   // in all of it
	Texts   Words // how many numbers of each there are
}

// Words are numbers of the texts that visits are grouped by, in the order of the
// fields of Origin and Page. They count from 0 and hold for an ISO week of one
// website: equal ones stand for equal texts.
type Words [5]uint32

// ErrTooMany means that there are more rows than should be in memory at once.
var ErrTooMany = errors.New("too many rows of the totals")

// AnswerQuery selects answers to prompts of a product.
type AnswerQuery struct {
	ProductID   int64
	PromptIDs   []int64  // of the product, in order
	Platforms   []string // empty: all
	Products    []int64  // whose mentions count, each once; the product is one of them
	First, Last int64    // seconds
}

// Grouping is what answers are pooled by.
type Grouping int

// The groupings.
const (
	Together            Grouping = iota
	ByPromptAndPlatform          // the key is the prompt's id
	ByDayAndPlatform             // the key is the start of the day
)

// Group is the answers to a prompt, of a day or all, on a platform or all.
type Group struct {
	Key      int64
	Platform string
}

// Tally is the outcome of the answers of a group.
type Tally struct {
	Group
	Answers   int64
	Mentions  []int64 // answers that mention each of the query's products
	Positions int64   // sum of the places of the product itself
}

// Cited is what the selected answers cite.
type Cited struct {
	Domains []CitedDomain
	Pages   []CitedPage
}

// CitedDomain is how often a domain is cited, and how often beside each of the
// query's products.
type CitedDomain struct {
	Domain   string
	Count    int64
	Mentions []int64
}

// CitedPage is how often a page is cited, and which of the query's products are
// mentioned beside it: one bit for each.
type CitedPage struct {
	Domain, URL string
	Count       int64
	Mentioned   Bits
}

// TotalsQuery selects rows of a table of totals: those of websites, with buckets of
// one width and, if the table has levels, at one level, that begin between two seconds.
type TotalsQuery struct {
	Table        Table
	WebsiteIDs   []string
	Page         string // normalized; empty: all. For BusyPages alone
	Width, Level int
	First, Last  int64
}

// TotalsRow is a row of the totals, with its figures in the order of TotalColumns.
type TotalsRow struct {
	Bucket            int64
	Platform, BotType string
	Path              string // the directory, or the normalized path of a page
	Figures           [len(TotalColumns)]int64
}

// AgentsRow is the user agents of bots of a bucket, by numbers that hold for an ISO
// week of one call.
type AgentsRow struct {
	Bucket            int64
	Platform, BotType string
	Agents            []uint32
}

// TotalColumns are the columns of the totals that are figures: the metrics, and
// how many rows there are of a report by page or path.
var TotalColumns = [...]string{
	"bot_visits", "human_visits", "referred_human_visits", "ai_referred_human_visits", "unique_human_visitors",
	"unique_pages", "unique_human_pages", "unique_human_platforms", "bot_user_agents",
	"all_pages", "bot_paths", "human_paths", "all_paths",
}

// MetricColumns are those that are metrics.
var MetricColumns = TotalColumns[:9]

// Places of some of them.
const (
	TotalBots   = 0
	TotalHumans = 1
)
