package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// reportPrompt asks for the report that most people want first.
const reportPrompt = `Write a short report on the AI visibility of {product} for {period}, from the Sightline tools.

1. Find the product with list_products.
2. get_visibility_summary for the period and for the period of equal length before it: visibility, position, rank, and what changed.
3. get_visibility_summary for each platform that get_visibility_trend shows: where the product is strong and where it is weak.
4. get_prompts: the prompts with the highest and with the lowest visibility. Leave out those with few runs, and say so.
5. get_citations with groupBy=property: which sources shape the answers, and which of them never come with a mention of the product.
6. get_agent_traffic with interval=week, metrics bot_visits and ai_referred_human_visits, groupBy platform: which agents read the site and which platforms send people.

Start with the three findings that matter most, each with its figures. Then one short section for each step. Name the period and the domain. Do not average shares, do not add up distinct counts, and do not explain changes that the figures do not explain.`

func addPrompts(s *sdk.Server) {
	s.AddPrompt(&sdk.Prompt{
		Name: "visibility_report", Title: "AI visibility report",
		Description: "A short report: how visible a product is in AI answers, against whom, which sources shape them, and who visits.",
		Arguments: []*sdk.PromptArgument{
			{Name: "product", Description: "Name, domain or id of the product. Left out: the only product, or the assistant asks."},
			{Name: "period", Description: "The period, such as 'March 2026' or 'the last 7 days'. Left out: the last 30 days."},
		},
	}, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		or := func(name, absent string) string {
			if given := strings.TrimSpace(r.Params.Arguments[name]); given != "" {
				return given
			}
			return absent
		}
		fill := strings.NewReplacer(
			"{product}", or("product", "my product (ask me which, if there are several)"),
			"{period}", or("period", "the last 30 days"),
		)
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{
			{Role: "user", Content: &sdk.TextContent{Text: fill.Replace(reportPrompt)}},
		}}, nil
	})
}
