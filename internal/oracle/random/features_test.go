package random

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/oracle"
)

func anyProduct(is func(oracle.Product) bool) func(*oracle.World) bool {
	return func(w *oracle.World) bool { return slices.ContainsFunc(w.Catalog, is) }
}

func anyWebsite(is func(oracle.Website) bool) func(*oracle.World) bool {
	return anyProduct(func(p oracle.Product) bool { return slices.ContainsFunc(p.Websites, is) })
}

func anyAnswer(is func(oracle.Answer) bool) func(*oracle.World) bool {
	return func(w *oracle.World) bool { return slices.ContainsFunc(w.Answers, is) }
}

func anyPageview(is func(oracle.Pageview) bool) func(*oracle.World) bool {
	return func(w *oracle.World) bool { return slices.ContainsFunc(w.Pageviews, is) }
}

// twoProducts holds if two products have the value in common.
func twoProducts[K comparable](values func(oracle.Product) []K) func(*oracle.World) bool {
	return func(w *oracle.World) bool {
		seen := map[K]int64{}
		for _, p := range w.Catalog {
			for _, v := range values(p) {
				if owner, ok := seen[v]; ok && owner != p.ID {
					return true
				}
				seen[v] = p.ID
			}
		}
		return false
	}
}

var catalogFeatures = map[string]func(*oracle.World) bool{
	"one team":   func(w *oracle.World) bool { return len(w.Teams) == 1 },
	"four teams": func(w *oracle.World) bool { return len(w.Teams) == 4 },
	"a chain of managed teams": func(w *oracle.World) bool {
		return slices.ContainsFunc(w.Teams, func(a oracle.Team) bool {
			return slices.ContainsFunc(w.Teams, func(b oracle.Team) bool { return slices.Contains(a.Manages, b.ID) && len(b.Manages) > 0 })
		})
	},
	"one product":             func(w *oracle.World) bool { return len(w.Catalog) == 1 },
	"six products":            func(w *oracle.World) bool { return len(w.Catalog) == 6 },
	"a product without team":  anyProduct(func(p oracle.Product) bool { return p.Team == "" }),
	"no competitors":          anyProduct(func(p oracle.Product) bool { return len(p.Competitors) == 0 }),
	"no websites":             anyProduct(func(p oracle.Product) bool { return len(p.Websites) == 0 }),
	"a partner website":       anyWebsite(func(s oracle.Website) bool { return s.Partner && !s.Untracked }),
	"an untracked website":    anyWebsite(func(s oracle.Website) bool { return s.Untracked && !s.Partner }),
	"an untracked partner":    anyWebsite(func(s oracle.Website) bool { return s.Untracked && s.Partner }),
	"a label id of two":       twoProducts(labelIDs),
	"a name of two":           twoProducts(func(p oracle.Product) []string { return []string{p.Name} }),
	"a website domain of two": twoProducts(func(p oracle.Product) []string { return websiteDomains(p) }),
	"a prompt text of two":    twoProducts(promptTexts),
	"no prompts": func(w *oracle.World) bool {
		return !anyProduct(func(p oracle.Product) bool { return len(p.Prompts) > 0 })(w)
	},
	"prompts of two domains": anyProduct(func(p oracle.Product) bool {
		return len(promptTexts(p)) > 1 && p.Prompts[0].Domain != p.Prompts[1].Domain
	}),
	"a text on two domains": anyProduct(func(p oracle.Product) bool {
		texts := promptTexts(p)
		slices.Sort(texts)
		return len(slices.Compact(texts)) < len(p.Prompts)
	}),
}

func labelIDs(p oracle.Product) (ids []int64) {
	for _, l := range p.Labels {
		ids = append(ids, l.ID)
	}
	return ids
}

func websiteDomains(p oracle.Product) (domains []string) {
	for _, s := range p.Websites {
		domains = append(domains, s.Domain)
	}
	return domains
}

func promptTexts(p oracle.Product) (texts []string) {
	for _, q := range p.Prompts {
		texts = append(texts, q.Text)
	}
	return texts
}

var answerFeatures = map[string]func(*oracle.World) bool{
	"no answers":  func(w *oracle.World) bool { return len(w.Answers) == 0 },
	"150 answers": func(w *oracle.World) bool { return len(w.Answers) > 140 },
	"several loads": func(w *oracle.World) bool {
		return len(w.AnswerLoads()) > 2 && len(w.PageviewLoads()) > 2
	},
	"an answer replaced in another week": func(w *oracle.World) bool {
		return anyAnswer(func(a oracle.Answer) bool {
			return anyAnswer(func(b oracle.Answer) bool { return a.ID == b.ID && week(a.At.Time) != week(b.At.Time) })(w)
		})(w)
	},
	"no mention":        anyAnswer(func(a oracle.Answer) bool { return len(a.Mentions) == 0 }),
	"many mentions":     anyAnswer(func(a oracle.Answer) bool { return len(a.Mentions) > 3 }),
	"a gap in places":   anyAnswer(func(a oracle.Answer) bool { return len(a.Mentions) == 1 && a.Mentions[0].Position == 2 }),
	"no citation":       anyAnswer(func(a oracle.Answer) bool { return len(a.Citations) == 0 }),
	"a sub-second":      anyAnswer(func(a oracle.Answer) bool { return strings.Contains(a.At.Sent, ".") }),
	"an offset":         anyAnswer(func(a oracle.Answer) bool { return strings.HasSuffix(a.At.Sent, "+05:30") }),
	"midnight":          anyAnswer(func(a oracle.Answer) bool { return a.At.Time.Format("150405") == "000000" }),
	"23:59:59":          anyAnswer(func(a oracle.Answer) bool { return a.At.Time.Format("150405") == "235959" }),
	"a year's end":      anyAnswer(func(a oracle.Answer) bool { return a.At.Time.Format("20060102") == "20251229" }),
	"week 53":           anyAnswer(func(a oracle.Answer) bool { return week(a.At.Time) == [2]int{2020, 53} }),
	"a leap day":        anyAnswer(func(a oracle.Answer) bool { return a.At.Time.Format("0102") == "0229" }),
	"a URL cited twice": anyAnswer(func(a oracle.Answer) bool { return slices.ContainsFunc(a.Citations, citedTwice(a)) }),
	"another platform":  anyAnswer(func(a oracle.Answer) bool { return a.Platform == "google_ai_overviews" }),
}

func citedTwice(a oracle.Answer) func(oracle.Citation) bool {
	return func(c oracle.Citation) bool {
		return slices.ContainsFunc(a.Citations, func(d oracle.Citation) bool { return c.URL == d.URL && c.Sent != d.Sent })
	}
}

func week(t time.Time) [2]int {
	year, number := t.ISOWeek()
	return [2]int{year, number}
}

var pageviewFeatures = map[string]func(*oracle.World) bool{
	"no pageviews":     func(w *oracle.World) bool { return len(w.Pageviews) == 0 },
	"400 pageviews":    func(w *oracle.World) bool { return len(w.Pageviews) == 400 },
	"an AI agent":      anyPageview(func(l oracle.Pageview) bool { return l.Truth.Agent.BotType == "gptbot" }),
	"another bot":      anyPageview(func(l oracle.Pageview) bool { return l.UserAgent == "curl/8.5.0" }),
	"no user agent":    anyPageview(func(l oracle.Pageview) bool { return l.UserAgent == "" }),
	"own referrer":     anyPageview(func(l oracle.Pageview) bool { return l.Truth.ReferrerHost == l.Truth.PageHost }),
	"AI referrer":      anyPageview(func(l oracle.Pageview) bool { return l.Truth.ReferrerPlatform == "perplexity" }),
	"AI utm_source":    anyPageview(func(l oracle.Pageview) bool { return l.Truth.UTMPlatform == "openai" }),
	"other utm_source": anyPageview(func(l oracle.Pageview) bool { return l.Truth.UTMSource == "newsletter" }),
	"both": anyPageview(func(l oracle.Pageview) bool {
		return l.Truth.UTMPlatform == "openai" && l.Truth.ReferrerPlatform == "claude"
	}),
	"platform stated":   anyPageview(func(l oracle.Pageview) bool { return l.Platform != "" && l.BotType == "" }),
	"bot type stated":   anyPageview(func(l oracle.Pageview) bool { return l.Platform == "" && l.BotType != "" }),
	"a bot stated none": anyPageview(func(l oracle.Pageview) bool { return l.BotType == "none" && l.Truth.Agent.Bot }),
	"visitor id":        anyPageview(func(l oracle.Pageview) bool { return l.VisitorID != "" }),
	"IPv6":              anyPageview(func(l oracle.Pageview) bool { return strings.Contains(l.IP, ":") }),
	"an asset":          anyPageview(func(l oracle.Pageview) bool { return l.Truth.File == oracle.Asset }),
	"a document":        anyPageview(func(l oracle.Pageview) bool { return l.Truth.File == oracle.Document }),
	"HEAD":              anyPageview(func(l oracle.Pageview) bool { return l.Method == "HEAD" && l.Status == 200 }),
	"404":               anyPageview(func(l oracle.Pageview) bool { return l.Status == 404 }),
	"304":               anyPageview(func(l oracle.Pageview) bool { return l.Status == 304 }),
	"no method, status": anyPageview(func(l oracle.Pageview) bool { return l.Method == "" && l.Status == 0 }),
	"a visit replaced": func(w *oracle.World) bool {
		return anyPageview(func(a oracle.Pageview) bool {
			return a.ID != "" && anyPageview(func(b oracle.Pageview) bool { return a.ID == b.ID && a.URL != b.URL })(w)
		})(w)
	},
}

func TestEveryFeatureOfAWorldOccurs(t *testing.T) {
	found := map[string]int{}
	features := []map[string]func(*oracle.World) bool{catalogFeatures, answerFeatures, pageviewFeatures}
	for seed := range 300 {
		w := worlds.Example(seed)
		for _, group := range features {
			for name, has := range group {
				if has(w) {
					found[name]++
				}
			}
		}
	}
	for _, group := range features {
		for name := range group {
			if found[name] == 0 {
				t.Errorf("no world has this: %s", name)
			}
		}
	}
}
