package mcp

import (
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sightline-hq/sightline/api"
)

// addTools offers the seven reads, in the order of the contract.
func addTools(s *sdk.Server, r *reader) {
	add(s, tool[struct{}, productsOut]{
		name: "list_products", title: "List products", read: r.listProducts,
		about: "Lists the products that the API key sees: id, name and domain. Other tools take the id as productId. Competitors are not listed.",
	})
	add(s, tool[productIn, websitesOut]{
		name: "list_websites", title: "List tracked websites", read: r.listWebsites,
		about: "Lists the websites of a product whose visits are tracked. get_agent_traffic takes a websiteId.",
		takes: []argument{productArgument()},
	})
	add(s, tool[promptsIn, promptsOut]{
		name: "get_prompts", title: "Visibility by prompt", read: r.getPrompts,
		about: "One row for each tracked prompt and AI platform: visibility, position and rank of the product in the answers, number of runs, labels. " +
			"Ordered by prompt text. A dash (null) means that there was no run in the period, or, with visibility 0, that no answer mentions the product.",
		takes: slices.Concat(promptArguments(), pageArguments(defaultPerPage)),
	})
	add(s, tool[promptsIn, summaryOut]{
		name: "get_visibility_summary", title: "Visibility in total", read: r.getSummary,
		about: "Visibility, position and rank of the product over all matching prompts and platforms together, and how many competitors are mentioned. " +
			"To compare platforms, periods or labels, call it once for each; do not average rows of get_prompts.",
		takes: promptArguments(),
	})
	add(s, tool[promptsIn, trendOut]{
		name: "get_visibility_trend", title: "Visibility by day", read: r.getTrend,
		about: "One row for each day (UTC) and AI platform with runs: visibility, position and rank of the product. Ordered by date; days without runs are absent.",
		takes: slices.Concat(promptArguments(), pageArguments(defaultPerPage)),
	})
	add(s, tool[citationsIn, citationsOut]{
		name: "get_citations", title: "Cited sources", read: r.getCitations,
		about: "Sources that AI answers to the tracked prompts cite, most cited first: by property (domain), by page (URL) and by product. " +
			"products are those that a citation is associated with; isMentioned says whether an answer that cites the source also mentions the product.",
		takes: slices.Concat(promptArguments(), []argument{
			choice("groupBy", "Which lists are wanted. A page has perPage rows of each.", api.CitationGroupings),
		}, pageArguments(citationsPerPage)),
	})
	add(s, tool[trafficIn, trafficOut]{
		name: "get_agent_traffic", title: "Visits of AI agents and people", read: r.getTraffic,
		about: "Visits to the product's tracked websites by day or week: AI agents and other bots, people, and people whom AI platforms referred. " +
			"A row has its time bucket, the dimensions of groupBy and the metrics asked for; rows in which all of them are 0 are absent. " +
			"Ordered by time, then the first metric, highest first. Distinct counts (unique_…, bot_user_agents) of rows do not add up.",
		takes: trafficArguments(),
	})
}

func trafficArguments() []argument {
	metrics := list("metrics", "Figures of a row. "+explained(api.Metrics), oneOf(api.Metrics), []api.Metric{api.BotVisits, api.AIReferredHumanVisits})
	metrics.schema.Default = quoted(api.Metrics[:1])
	return slices.Concat([]argument{productArgument()}, periodArguments(), []argument{
		text("websiteId", "Only this website, by its id from list_websites. Left out: all tracked websites of the product."),
		choice("interval", "Length of a time bucket, in UTC; weeks start on Monday.", api.Intervals),
		metrics,
		list("groupBy", "Dimensions that divide each bucket into rows. "+explained(api.Dimensions)+" Left out: one row for each bucket.",
			oneOf(api.Dimensions), []api.Dimension{api.ByPlatform}),
		list("platforms", "Only visits of these platforms; names are exact, such as openai, claude, perplexity; other: bots that are no AI agent; none: people whom no AI platform referred.",
			word(), []string{"openai"}),
		list("botTypes", "Only visits of these bots; names are exact, such as gptbot, chatgpt-user, claudebot; other: bots that are no AI agent; none: people.",
			word(), []string{"gptbot"}),
		text("urlPath", "Only visits of this page, by its path.", "/pricing"),
		number("topLimit", "Only the first N rows of each bucket, by the first metric: with groupBy, the top N of each day or week.", 0),
	}, pageArguments(defaultPerPage))
}
