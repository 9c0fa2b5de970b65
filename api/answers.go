package api

// Product is a primary product of the caller's teams.
type Product struct {
	ID              int64     `json:"id"`
	Name            string    `json:"name"`
	Website         string    `json:"website"`
	Domain          string    `json:"domain"`
	PartnerWebsites []Website `json:"partnerWebsites"`
}

// Website is a website of a product; PartnerWebsite has the same shape.
type Website struct {
	Domain    string `json:"domain"`
	WebsiteID string `json:"websiteId"`
}

// PromptLabel is a label that a team puts on prompts.
type PromptLabel struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// PromptMetric is one row per tracked prompt, platform and domain.
type PromptMetric struct {
	PromptText string        `json:"promptText"`
	Platform   string        `json:"platform"`
	Domain     string        `json:"domain"`
	Position   *float64      `json:"position"`
	Visibility *float64      `json:"visibility"`
	Rank       *int64        `json:"rank"`
	RunCount   *int64        `json:"runCount"`
	Labels     []PromptLabel `json:"labels"`
}

// PromptSummary pools all matching prompts.
type PromptSummary struct {
	Position         *float64 `json:"position"`
	Visibility       *float64 `json:"visibility"`
	Rank             *int64   `json:"rank"`
	TotalCompetitors int64    `json:"totalCompetitors"`
}

// DailyPromptMetric is one row per day and platform with at least one run.
type DailyPromptMetric struct {
	Date       string   `json:"date"`
	Platform   string   `json:"platform"`
	Domain     string   `json:"domain"`
	Visibility *float64 `json:"visibility"`
	Position   *float64 `json:"position"`
	Rank       *int64   `json:"rank"`
}

// CitationProduct is a product associated with a citation.
type CitationProduct struct {
	Name   string `json:"name"`
	Domain string `json:"domain"`
}

// CitationByProperty counts the citations of one domain.
type CitationByProperty struct {
	Domain      string            `json:"domain"`
	Products    []CitationProduct `json:"products"`
	Count       int64             `json:"count"`
	IsMentioned bool              `json:"isMentioned"`
}

// CitationByPage counts the citations of one URL.
type CitationByPage struct {
	Domain      string            `json:"domain"`
	URL         string            `json:"url"`
	Products    []CitationProduct `json:"products"`
	Count       int64             `json:"count"`
	IsMentioned bool              `json:"isMentioned"`
}

// CitationByProduct counts the citations associated with one product.
type CitationByProduct struct {
	Name        string `json:"name"`
	Domain      string `json:"domain"`
	Count       int64  `json:"count"`
	IsMentioned bool   `json:"isMentioned"`
}

// CitationResponse holds the groupings asked for. A grouping that was not
// asked for is nil and absent; one that was and is empty is an empty array.
type CitationResponse struct {
	ByProperty []CitationByProperty `json:"byProperty,omitzero"`
	ByPage     []CitationByPage     `json:"byPage,omitzero"`
	ByProduct  []CitationByProduct  `json:"byProduct,omitzero"`
}

// CitationRow is a row of all three groupings in one list, as exports have them.
// What a grouping does not have is nil.
type CitationRow struct {
	GroupBy     string             `json:"groupBy"` // byProperty, byPage, byProduct
	Domain      string             `json:"domain"`
	URL         *string            `json:"url"`
	Name        *string            `json:"name"`
	Products    *[]CitationProduct `json:"products"`
	Count       int64              `json:"count"`
	IsMentioned bool               `json:"isMentioned"`
}

// TimeseriesItem is one row of a time bucket. Only the requested dimensions
// and metrics are set; the others are nil and absent.
type TimeseriesItem struct {
	Timestamp             string  `json:"timestamp"`
	Platform              *string `json:"platform,omitempty"`
	BotType               *string `json:"botType,omitempty"`
	URLPath               *string `json:"urlPath,omitempty"`
	NormalizedURLPath     *string `json:"normalizedUrlPath,omitempty"`
	URLPathDirectory      *string `json:"urlPathDirectory,omitempty"`
	BotVisits             *int64  `json:"botVisits,omitempty"`
	HumanVisits           *int64  `json:"humanVisits,omitempty"`
	ReferredHumanVisits   *int64  `json:"referredHumanVisits,omitempty"`
	AIReferredHumanVisits *int64  `json:"aiReferredHumanVisits,omitempty"`
	UniqueHumanVisitors   *int64  `json:"uniqueHumanVisitors,omitempty"`
	UniquePages           *int64  `json:"uniquePages,omitempty"`
	UniqueHumanPages      *int64  `json:"uniqueHumanPages,omitempty"`
	UniqueHumanPlatforms  *int64  `json:"uniqueHumanPlatforms,omitempty"`
	BotUserAgents         *int64  `json:"botUserAgents,omitempty"`
}

// TimeseriesResponse is one page of a timeseries.
type TimeseriesResponse struct {
	PreviousPage *int64           `json:"previousPage"`
	CurrentPage  int64            `json:"currentPage"`
	NextPage     *int64           `json:"nextPage"`
	TotalPages   int64            `json:"totalPages"`
	TotalItems   int64            `json:"totalItems"`
	PerPage      int64            `json:"perPage"`
	Items        []TimeseriesItem `json:"items"`
}

// ErrorResponse is the body of every answer that is not a 200.
type ErrorResponse struct {
	Message string `json:"message"`
}
