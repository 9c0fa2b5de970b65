package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
	"github.com/sightline-hq/sightline/internal/show"
)

// windowFlags say which period a report is of.
type windowFlags struct {
	from, to, last string
	compare        bool
}

func (w *windowFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&w.last, "last", "", "`TIME` in days, weeks or hours: 30d, 12w, 24h (default 30d); days and weeks end with yesterday, or with --to")
	f.StringVar(&w.from, "from", "", "first `DAY`: 2026-03-01, 2026-03, today, yesterday, or a date-time")
	f.StringVar(&w.to, "to", "", "last `DAY`, which belongs to the period (default today)")
	f.BoolVar(&w.compare, "compare", false, "compare with the period of equal length before")
	for _, name := range []string{"from", "to"} {
		complete(c, name, fixed("today", "yesterday"))
	}
	complete(c, "last", fixed("7d", "30d", "90d", "4w", "12w", "24h"))
}

// window is the period in UTC. To compare a series, its buckets must fall on
// those of the period before.
func (w *windowFlags) window(c *cobra.Command, bucket api.Interval) (api.Window, error) {
	period, err := insight.Period(w.from, w.to, w.last, time.Now())
	if err != nil {
		return period, wrong(c, "has a wrong --"+err.Error())
	}
	if w.compare && bucket != "" && !insight.Aligned(period, bucket) {
		example := map[api.Interval]string{api.Day: "30d", api.Week: "4w"}[bucket]
		return period, wrong(c, fmt.Sprintf("compares whole %ss with whole %ss: choose a period such as --last %s", bucket, bucket, example))
	}
	return period, nil
}

// promptFlags say which prompts a report is of.
type promptFlags struct {
	windowFlags
	domain    string
	platforms []string
	labels    []string // ids and names
}

func (a *app) promptFlags(c *cobra.Command, o *getOptions, p *promptFlags) {
	a.productFlag(c, o)
	p.add(c)
	f := c.Flags()
	f.StringVar(&p.domain, "domain", "", "`DOMAIN` of the product to report on (default: the product's)")
	f.StringSliceVar(&p.platforms, "platform", nil, "AI `PLATFORM`, such as openai; may be repeated (default all)")
	f.StringSliceVar(&p.labels, "label", nil, "`ID` or name of a label that prompts have; may be repeated (default all prompts)")
	complete(c, "platform", a.completePlatforms(o))
	complete(c, "label", a.completeLabels(o))
	complete(c, "domain", a.completeDomains(o))
}

// narrowed says, of a report without rows, by which filters it has none, and
// which platforms there are if none of them was meant.
func narrowed(c *cobra.Command, platforms []string) string {
	var given []string
	for _, name := range []string{"domain", "platform", "label", "website", "bot-type", "path"} {
		if f := c.Flags().Lookup(name); f != nil && f.Changed {
			given = append(given, "--"+name+" "+show.Printable(strings.Trim(f.Value.String(), "[]")))
		}
	}
	if given == nil {
		return ""
	}
	hint := "without it there may be some"
	asked, _ := c.Flags().GetStringSlice("platform")
	if wrong := slices.ContainsFunc(asked, func(p string) bool { return !slices.Contains(platforms, p) }); wrong && len(platforms) > 0 {
		hint = "platforms are " + strings.Join(platforms, ", ")
	}
	return ", with " + strings.Join(given, " ") + ": " + hint
}

// oneOf reads a value of a closed list. Case, dashes and underscores do not
// matter: bot-visits is bot_visits.
func oneOf[T ~string](c *cobra.Command, flag, value string, allowed []T) (T, error) {
	names := make([]string, len(allowed))
	for i, known := range allowed {
		if fold(string(known)) == fold(value) {
			return known, nil
		}
		names[i] = string(known)
	}
	hint := ""
	if meant := otherWords[fold(value)]; slices.Contains(names, meant) {
		hint = ": did you mean " + meant + "?"
	}
	return "", wrong(c, fmt.Sprintf("has --%s %s, not %q%s", flag, strings.Join(names, ", "), value, hint))
}

// otherWords are what people say for values of closed lists.
var otherWords = map[string]string{
	"domain": "property", "url": "page", "website": "property", "brand": "product",
	"page": "normalizedUrlPath", "path": "urlPath", "directory": "urlPathDirectory", "bot": "botType", "agent": "botType",
	"visits": "bot_visits", "visitors": "unique_human_visitors", "pages": "unique_pages",
}

// someOf reads values of a closed list, each once.
func someOf[T ~string](c *cobra.Command, flag string, values []string, allowed []T) (some []T, err error) {
	for _, v := range values {
		one, err := oneOf(c, flag, v, allowed)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(some, one) {
			some = append(some, one)
		}
	}
	return some, nil
}

func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s))
}

// flagOf names the flag that a server complains about by its parameter.
func flagOf(detail string) string {
	if detail == "" {
		return "the request"
	}
	name, what, _ := strings.Cut(detail, ":")
	flag, ok := map[string]string{
		api.ParamDomain: "--domain", api.ParamDateFrom: "--from", api.ParamDateTo: "--to", api.ParamPlatforms: "--platform",
		api.ParamLabelIDs: "--label", api.ParamGroupBy: "--group-by", api.ParamWebsiteID: "--website", api.ParamInterval: "--interval",
		api.ParamMetrics: "--metric", api.ParamGroupBys: "--group-by", api.ParamBotTypes: "--bot-type", api.ParamURLPath: "--path",
		api.ParamPage: "--page", api.ParamPerPage: "--per-page", api.ParamTopLimit: "--top",
	}[name]
	if !ok {
		return detail
	}
	return flag + ":" + what
}
