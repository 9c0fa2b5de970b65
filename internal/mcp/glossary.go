package mcp

// definitions are docs/semantics.md in short, for a reader in the middle of a
// question.
var definitions = []definition{
	{"figure", "visibility", "Share of AI answers that mention the product, as a decimal: 0.42 is 42 %.",
		"It is pooled: answers with a mention divided by all answers selected, never an average of averages. " +
			"An answer without a mention counts below the line. With answers but no mention it is 0; without answers it is null."},
	{"figure", "position", "Average place of the product among the products that an answer mentions; 1 is first, so lower is better.",
		"Only answers that mention the product count. Null if none does."},
	{"figure", "rank", "Place of the product by visibility among itself and its competitors, over the same answers; 1 is highest.",
		"It is 1 plus the number of products with strictly higher visibility: equal visibility, equal rank (1, 1, 3). Null if no answer mentions the product."},
	{"figure", "runCount", "Number of AI answers recorded for the prompt and platform in the period.",
		"Null if there were none; visibility, position and rank are null then, too. Few runs make the other figures uncertain."},
	{"figure", "totalCompetitors", "Number of distinct competitors that the selected answers mention.", "The product itself is not counted."},
	{"figure", "citations", "Number of citations of a source (count); a citation is one URL cited by one answer, however often that answer repeats it.",
		"By property and by product, an answer that cites three URLs counts three times. URLs are compared without fragment and tracking parameters. A product is associated with a citation if the answer mentions it or if it owns the cited domain."},
	{"figure", "isMentioned", "Whether at least one answer that cites the source also mentions the product.",
		"In the list by product: whether at least one of the answers counted mentions that row's product; it may be cited without being mentioned."},
	{"figure", "period", "Both ends of a period belong to it; days and weeks are UTC, and weeks start on Monday.",
		"A bucket is named by its start, even where that lies before the period. Only events inside the period count, so the first and the last bucket can be partial. " +
			"Days and rows without any events are absent."},

	{"metric", "bot_visits", "Visits by bots: AI agents and others.", "GET and HEAD requests that succeeded, without static assets."},
	{"metric", "human_visits", "Visits by people.", "Successful GET requests for pages whose user agent is no bot's."},
	{"metric", "referred_human_visits", "Visits by people who came from another site.", "They have a utm_source, or a referrer on another host than the page's."},
	{"metric", "ai_referred_human_visits", "Visits by people whom an AI platform referred.", "A part of referred_human_visits."},
	{"metric", "unique_human_visitors", "Distinct people.",
		"Exact, per website; without an id of the sender's, a person is known for one week at most. Days do not add up to their week."},
	{"metric", "unique_pages", "Distinct pages that bots visited.", "A page is a website and a normalized path."},
	{"metric", "unique_human_pages", "Distinct pages that people visited.", "A page is a website and a normalized path."},
	{"metric", "unique_human_platforms", "Distinct AI platforms that referred people.", ""},
	{"metric", "bot_user_agents", "Distinct user-agent strings of bots.", "Versions of one bot count separately."},

	{"dimension", "platform", "Platform of the AI agent, or the one that referred the person.",
		"Such as openai, claude, perplexity. other: bots that are no AI agent. none: people whom no AI platform referred."},
	{"dimension", "botType", "Short name of the bot.", "Such as gptbot, chatgpt-user, claudebot. other: bots that are no AI agent. none: people."},
	{"dimension", "urlPath", "Path as it was sent.", "As a filter, urlPath is compared in normalized form."},
	{"dimension", "normalizedUrlPath", "Path with the spellings of a page brought together.",
		"Query, fragment, trailing slash, index files and session ids are dropped; case and ids are kept. /blog/?page=2 is /blog."},
	{"dimension", "urlPathDirectory", "Parent of the normalized path.", "/blog/post has /blog, /pricing has /."},
}
