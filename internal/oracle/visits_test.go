package oracle

import "testing"

// human is a plain pageview of acme.com/pricing; bot is one by GPTBot.
func human(sent string) Pageview {
	return Pageview{
		At: at(sent), WebsiteID: "w-acme", URL: "https://acme.com/pricing", UserAgent: "Firefox", IP: "203.0.113.9",
		Truth: Truth{
			PageHost: "acme.com", ReferrerPlatform: "none", UTMPlatform: "none",
			URLPath: "/pricing", NormalizedPath: "/pricing", Directory: "/",
		},
	}
}

func bot(sent string) Pageview {
	l := human(sent)
	l.UserAgent, l.Truth.Agent = "GPTBot/1.2", Agent{Bot: true, Platform: "openai", BotType: "gptbot"}
	return l
}

func with(l Pageview, change func(*Pageview)) Pageview {
	change(&l)
	return l
}

const noon = "2026-03-02T12:00:00Z"

func TestWhatIsAVisit(t *testing.T) {
	for _, c := range []struct {
		name        string
		method      string
		status      int
		file        File
		humans, bot bool
	}{
		{"nothing stated", "", 0, Page, true, true},
		{"GET 200", "GET", 200, Page, true, true},
		{"GET 204", "GET", 204, Page, true, true},
		{"GET 299", "GET", 299, Page, true, true},
		{"GET 304", "GET", 304, Page, true, true},
		{"GET 301", "GET", 301, Page, false, false},
		{"GET 404", "GET", 404, Page, false, false},
		{"GET 500", "GET", 500, Page, false, false},
		{"a status without a method", "", 404, Page, false, false},
		{"HEAD 200", "HEAD", 200, Page, false, true},
		{"HEAD without a status", "HEAD", 0, Page, false, true},
		{"HEAD 404", "HEAD", 404, Page, false, false},
		{"POST 200", "POST", 200, Page, false, false},
		{"document", "GET", 200, Document, false, true},
		{"asset", "GET", 200, Asset, false, false},
	} {
		change := func(l *Pageview) { l.Method, l.Status, l.Truth.File = c.method, c.status, c.file }
		if got := with(human(noon), change).counts(); got != c.humans {
			t.Errorf("%s by a human: %v, want %v", c.name, got, c.humans)
		}
		if got := with(bot(noon), change).counts(); got != c.bot {
			t.Errorf("%s by a bot: %v, want %v", c.name, got, c.bot)
		}
	}
}

func refer(host, platform string) func(*Pageview) {
	return func(l *Pageview) { l.Truth.ReferrerHost, l.Truth.ReferrerPlatform = host, platform }
}

func tag(source, platform string) func(*Pageview) {
	return func(l *Pageview) { l.Truth.UTMSource, l.Truth.UTMPlatform = source, platform }
}

func stated(platform, botType, botTypePlatform string) func(*Pageview) {
	return func(l *Pageview) { l.Platform, l.BotType, l.Truth.BotTypePlatform = platform, botType, botTypePlatform }
}

func TestWhoseVisitItIs(t *testing.T) {
	both := func(a, b func(*Pageview)) func(*Pageview) { return func(l *Pageview) { a(l); b(l) } }
	nothing := func(*Pageview) {}
	for _, c := range []struct {
		name              string
		line              Pageview
		change            func(*Pageview)
		platform, botType string
		referred, ai      bool
	}{
		{"a human who came directly", human(noon), nothing, "none", "none", false, false},
		{"from the page's own host", human(noon), refer("acme.com", "none"), "none", "none", false, false},
		{"from another host", human(noon), refer("news.example", "none"), "none", "none", true, false},
		{"from an AI platform", human(noon), refer("claude.ai", "claude"), "claude", "none", true, true},
		{"by an AI platform's tag", human(noon), tag("chatgpt.com", "openai"), "openai", "none", true, true},
		{"by a tag, which is looked at first", human(noon), both(tag("chatgpt.com", "openai"), refer("claude.ai", "claude")), "openai", "none", true, true},
		{"by another tag, from an AI platform", human(noon), both(tag("mail", "none"), refer("claude.ai", "claude")), "claude", "none", true, true},
		{"by another tag, from the own host", human(noon), both(tag("mail", "none"), refer("acme.com", "none")), "none", "none", true, false},
		{"a bot", bot(noon), nothing, "openai", "gptbot", false, false},
		{"a bot with a referrer", bot(noon), refer("claude.ai", "claude"), "openai", "gptbot", false, false},
		{"a stated platform", human(noon), stated("perplexity", "", ""), "perplexity", "none", false, false},
		{"a stated platform, referred", human(noon), both(stated("perplexity", "", ""), refer("news.example", "none")), "perplexity", "none", true, true},
		{"a stated platform that is none", human(noon), both(stated("none", "", ""), refer("claude.ai", "claude")), "none", "none", true, false},
		{"a stated platform that is other", human(noon), both(stated("other", "", ""), refer("claude.ai", "claude")), "other", "none", true, false},
		{"a stated bot type", human(noon), stated("", "claudebot", "claude"), "claude", "claudebot", false, false},
		{"a stated bot type that nobody knows", human(noon), stated("", "mystery", "other"), "other", "mystery", false, false},
		{"both stated", bot(noon), stated("acme-ai", "claudebot", "claude"), "acme-ai", "claudebot", false, false},
		{"stated to be no bot", bot(noon), both(stated("", "none", ""), refer("claude.ai", "claude")), "claude", "none", true, true},
	} {
		v := with(c.line, c.change).visit()
		if v.platform != c.platform || v.botType != c.botType || v.referred != c.referred || v.aiReferred != c.ai {
			t.Errorf("%s: got %s, %s, referred %v, by AI %v", c.name, v.platform, v.botType, v.referred, v.aiReferred)
		}
		if v.bot != (c.botType != "none") {
			t.Errorf("%s: bot is %v", c.name, v.bot)
		}
	}
}

func TestVisitors(t *testing.T) {
	one := human(noon)
	for _, c := range []struct {
		name   string
		change func(*Pageview)
		same   bool
	}{
		{"the same week", func(l *Pageview) { l.At = at("2026-03-08T23:59:59Z") }, true},
		{"the next week", func(l *Pageview) { l.At = at("2026-03-09T00:00:00Z") }, false},
		{"another page", func(l *Pageview) { l.Truth.NormalizedPath = "/blog" }, true},
		{"another website", func(l *Pageview) { l.WebsiteID = "w-shop" }, false},
		{"another address", func(l *Pageview) { l.IP = "203.0.113.10" }, false},
		{"another browser", func(l *Pageview) { l.UserAgent = "Safari" }, false},
		{"an id of the sender's own", func(l *Pageview) { l.VisitorID = "u1" }, false},
	} {
		if got := with(one, c.change).visitor() == one.visitor(); got != c.same {
			t.Errorf("%s: same visitor is %v, want %v", c.name, got, c.same)
		}
	}
}

func TestASenderOwnIDOutlivesTheWeekAndTheAddress(t *testing.T) {
	own := func(l *Pageview) { l.VisitorID = "u1" }
	one := with(human(noon), own)
	later := with(human("2026-06-01T00:00:00Z"), func(l *Pageview) { own(l); l.IP, l.UserAgent = "2001:db8::1", "Safari" })
	if one.visitor() != later.visitor() {
		t.Error("the same id is another visitor")
	}
	if elsewhere := with(one, func(l *Pageview) { l.WebsiteID = "w-shop" }); one.visitor() == elsewhere.visitor() {
		t.Error("the same id on another website is the same visitor")
	}
}

func TestAddressesOfOneIPv6NetworkAreOne(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8:1:2::1", "2001:0db8:0001:0002:ffff::7", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"203.0.113.9", "203.0.113.10", false},
		{"", "", true},
	} {
		if got := network(c.a) == network(c.b); got != c.same {
			t.Errorf("%q and %q: same is %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

func TestTheISOWeekOfAYearsEndBelongsToTheNextYear(t *testing.T) {
	monday, thursday := human("2025-12-29T00:00:00Z"), human("2026-01-01T00:00:00Z")
	if monday.visitor() != thursday.visitor() {
		t.Error("2025-12-29 and 2026-01-01 lie in the same ISO week")
	}
	if sunday := human("2025-12-28T23:59:59Z"); sunday.visitor() == monday.visitor() {
		t.Error("2025-12-28 lies in the week before")
	}
}

func TestALaterVisitReplacesTheOneWithItsID(t *testing.T) {
	named := func(l Pageview) Pageview { l.ID = "v-1"; return l }
	w := small()
	w.Pageviews = []Pageview{
		named(human(noon)),
		human(noon), human(noon), // without an id, both count
		named(with(bot("2026-03-20T00:00:00Z"), func(l *Pageview) { l.WebsiteID = "w-shop" })),
		named(with(human(noon), func(l *Pageview) { l.Status = 404 })), // dropped, so it replaces nothing
	}
	kept := w.visits()
	if len(kept) != 3 || kept[0].bot || kept[1].bot || kept[2].website != "w-shop" {
		t.Errorf("kept %+v", kept)
	}
}
