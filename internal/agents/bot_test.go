package agents

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestBotKnowsAIAgents(t *testing.T) {
	for _, c := range []struct{ platform, botType, userAgent string }{
		{"openai", "gptbot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"},
		{"openai", "oai-searchbot", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot"},
		{"openai", "chatgpt-user", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot"},
		{"openai", "chatgpt-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 ChatGPT Agent/1.0"},
		{"claude", "claudebot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"},
		{"claude", "claude-user", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)"},
		{"claude", "claude-searchbot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)"},
		{"perplexity", "perplexitybot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)"},
		{"perplexity", "perplexity-user", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)"},
		{"gemini", "gemini-deep-research", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Gemini-Deep-Research; +https://gemini.google/overview/deep-research/) Chrome/135.0.0.0 Safari/537.36"},
		{"gemini", "google-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-Agent)"},
		{"gemini", "googleagent-mariner", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; GoogleAgent-Mariner) Chrome/142.0.7444.162 Safari/537.36"},
		{"google", "googlebot", "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2272.96 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
		{"google", "google-cloudvertexbot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-CloudVertexBot; +https://cloud.google.com/enterprise-search) Chrome/131.0.0.0 Safari/537.36"},
		{"microsoft", "bingbot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/103.0.5060.134 Safari/537.36"},
		{"meta", "meta-externalagent", "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)"},
		{"meta", "meta-externalfetcher", "meta-externalfetcher/1.1"},
		{"meta", "facebookexternalhit", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"},
		{"apple", "applebot", "Mozilla/5.0 (iPhone; CPU iPhone OS 8_1 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) Version/8.0 Mobile/12B410 Safari/600.1.4 (Applebot/0.1; +http://www.apple.com/go/applebot)"},
		{"amazon", "amazonbot", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)"},
		{"amazon", "amzn-searchbot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-SearchBot/0.1) Chrome/119.0.6045.214 Safari/537.36"},
		{"bytedance", "bytespider", "Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/58.0.9038.1080 Mobile Safari/537.36; Bytespider"},
		{"bytedance", "tiktokspider", "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; TikTokSpider; ttspider-feedback@tiktok.com)"},
		{"mistral", "mistralai-user", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)"},
		{"duckduckgo", "duckassistbot", "DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)"},
		{"duckduckgo", "duckduckbot", "Mozilla/5.0 (compatible; DuckDuckBot-Https/1.1; https://duckduckgo.com/duckduckbot)"},
		{"deepseek", "deepseekbot", "Mozilla/5.0 (compatible; DeepSeekBot/1.0; +https://www.deepseek.com/bot)"},
		{"you", "youbot", "YouBot (+http://www.you.com)"},
		{"cohere", "cohere-ai", "cohere-ai"},
		{"amazon", "amazon-kendra", "KendraBot"},
		{"commoncrawl", "ccbot", "CCBot/2.0 (https://commoncrawl.org/faq/)"},
		{"huawei", "petalbot", "Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)"},
		{"manus", "manus-user", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36; Manus-User/1.0"},
		{"cognition", "devin", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36; Devin/1.0; +https://devin.ai"},
		{"kangaroollm", "kangaroo-bot", "Mozilla/5.0 (compatible; Kangaroo Bot/1.0; +http://www.kangaroo.com)"},
	} {
		t.Run(c.botType, func(t *testing.T) { expect(t, c.userAgent, c.platform, c.botType) })
	}
}

func TestBotMatchesWholeWordsAndTheLongestToken(t *testing.T) {
	for _, c := range []struct{ name, userAgent, platform, botType string }{
		{"token alone", "GPTBot", "openai", "gptbot"},
		{"any case", "gptBOT/1.0", "openai", "gptbot"},
		{"end of a sentence", "This is GPTBot.", "openai", "gptbot"},
		{"longest token", "Mozilla/5.0 (Applebot/0.1; Applebot-Extended/0.1)", "apple", "applebot-extended"},
		{"longest token first", "Mozilla/5.0 (Applebot-Extended/0.1; Applebot/0.1)", "apple", "applebot-extended"},
		{"longer spelling of a name", "Mozilla/5.0 (compatible) Ai2Bot-Dolma (+https://www.allenai.org/crawler)", "allenai", "ai2bot-dolma"},
		{"first of equal length", "Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)", "claude", "claude-user"},
		{"goes on with a hyphen: Googlebot", "Googlebot-Image/1.0", "google", "googlebot"},
		{"goes on with a hyphen: GoogleOther", "Mozilla/5.0 (compatible; GoogleOther-Image/1.0)", "google", "googleother"},
		{"goes on with a hyphen: Kendra", "amazon-kendra-customer-id-0123456789abcdef0123456789abcdef0123456789abcdef", "amazon", "amazon-kendra"},
		{"goes on with a hyphen: Crawl4AI", "crawl4ai-adapter/1.0", "crawl4ai", "crawl4ai"},
		{"goes on with bot: omgili", "omgilibot/0.4 +http://omgili.com", "webzio", "omgili"},
		{"goes on with bot: Yandex", "Mozilla/5.0 (compatible; YandexAdditionalBot/3.0; +http://yandex.com/bots)", "yandex", "yandexadditional"},
		{"dot inside a token", "Mozilla/5.0 (bigsur.ai)", "bigsur", "bigsur-ai"},
		{"underscore inside a token", "Factset_spyderbot/1.0", "factset", "factset-spyderbot"},
		{"a longer word is another bot", "Mozilla/5.0 (compatible; notgptbot/1.0)", "other", "other"},
		{"a prefix makes another bot", "xGPTBot", "other", "other"},
		{"a suffix makes another bot", "GPTBotany/1.0", "other", "other"},
		{"half of two words", "Kangaroo Botany/1.0", "other", "other"},
		{"first of two words", "Kangaroo", "other", "other"},
		{"two words as one", "KangarooBot/1.0", "other", "other"},
		{"slash missing", "opencode-smartfetch/1.0", "other", "other"},
		{"slash", "opencode/1.2.3", "opencode", "opencode"},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, c.userAgent, c.platform, c.botType) })
	}
}

func TestTokensMayShareTheirFirstWord(t *testing.T) {
	table := New([]Agent{
		{Token: "Foo", BotType: "foo"}, {Token: "Foo/", BotType: "foo-slash"}, {Token: "Foo Bar", BotType: "foo-bar"},
	}, nil)
	for userAgent, want := range map[string]string{
		"a Foo": "foo", "a foo (b)": "foo", "a FOO/1.0": "foo-slash", "a Foo bar/1.0": "foo-bar", "a Foo bars": "foo", "a Foo-x/1": "foo",
	} {
		if _, got, _ := table.Bot(userAgent); got != want {
			t.Errorf("Bot(%q) = %q, want %q", userAgent, got, want)
		}
	}
}

func TestBotFindsEveryListedToken(t *testing.T) {
	for _, a := range Default().Agents() {
		expect(t, "Mozilla/5.0 (compatible; "+strings.TrimSuffix(a.Token, "/")+"/1.0)", a.Platform, a.BotType)
		if got, ok := Default().PlatformOf(a.BotType); got != a.Platform || !ok {
			t.Errorf("PlatformOf(%q) = %q, %v", a.BotType, got, ok)
		}
	}
	if got, ok := Default().PlatformOf("other"); got != "" || ok {
		t.Errorf("PlatformOf(other) = %q, %v: no AI agent", got, ok)
	}
}

func TestBotCallsOtherBotsOther(t *testing.T) {
	for _, userAgent := range []string{
		"", "-", " ", "Mozilla/5.0",
		"curl/8.5.0",
		"python-requests/2.31.0",
		"Python/3.11 aiohttp/3.9.1",
		"Go-http-client/2.0",
		"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
		"Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
		"AdsBot-Google (+http://www.google.com/adsbot.html)",
		"Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36",
		"Mozilla/5.0 (compatible; Google-InspectionTool/1.0)",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0.3904.130 Electron/7.1.7 Safari/537.36 PingdomTMS/2020.2",
		"Mozilla/5.0 (Linux; CentOS; compatible; semantic-visions-discovery; HTTPClient 4.5)",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; BW/1.2; rb.gy/oupwis) Chrome/124.0.0.0 Safari/537.36",
		"WhatsApp/2.23.20.0 A",
		"Mozilla/5.0 (Linux; Android 7.0; M bot 60) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/74.0.3729.157 Mobile Safari/537.36 (compatible; SomeBot/1.0)",
	} {
		expect(t, userAgent, "other", "other")
	}
}

func TestBotCallsBrowsersHuman(t *testing.T) {
	for _, userAgent := range browsers {
		expect(t, userAgent, "none", "none")
	}
}

func expect(t *testing.T, userAgent, platform, botType string) {
	t.Helper()
	for _, how := range []string{"judged", "cached"} {
		gotPlatform, gotType, bot := Default().Bot(userAgent)
		if gotPlatform != platform || gotType != botType || bot != (botType != "none") {
			t.Errorf("Bot(%q), %s = %s, %s, %v, want %s, %s", userAgent, how, gotPlatform, gotType, bot, platform, botType)
		}
	}
}

func TestBotIsSafeForConcurrentUseAndItsMemoryIsBounded(t *testing.T) {
	table := New(Default().Agents(), nil)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range maxCached * 3 / 4 { // of two series, so that the cache fills up
				userAgent := fmt.Sprintf("%s %d/%d", browsers[0], worker%2, i)
				if platform, _, bot := table.Bot(userAgent); platform != "none" || bot {
					t.Errorf("Bot(%q) = %s, %v", userAgent, platform, bot)
				}
			}
		})
	}
	group.Wait()
	table.Bot(browsers[0] + strings.Repeat("x", maxCachedBytes))
	if n := len(table.cache.verdicts); n == 0 || n > maxCached {
		t.Errorf("%d verdicts are cached, at most %d may be", n, maxCached)
	}
	for userAgent := range table.cache.verdicts {
		if len(userAgent) > maxCachedBytes {
			t.Errorf("a user agent of %d bytes is cached", len(userAgent))
		}
	}
}

func FuzzBot(f *testing.F) {
	for _, s := range append([]string{"", "-", "GPTBot.", "Devin/", "Kangaroo Bot", "amazon-kendra-x", "; M bot ", "-.-"}, browsers...) {
		f.Add(s)
	}
	table := Default()
	f.Fuzz(func(t *testing.T, userAgent string) {
		v := table.judge(userAgent)
		if v.bot == (v.platform == "none") || v.bot == (v.botType == "none") {
			t.Errorf("%q: %+v is half human", userAgent, v)
		}
		if platform, ok := table.PlatformOf(v.botType); ok && platform != v.platform || !ok && v != human && v != otherBot {
			t.Errorf("%q: %+v is not in the table", userAgent, v)
		}
		if table.agent(userAgent) != table.agent(upperASCII(userAgent)) {
			t.Errorf("%q: another agent in upper case", userAgent)
		}
		platform, botType, bot := table.Bot(userAgent)
		if v != (verdict{platform, botType, bot}) {
			t.Errorf("%q: %+v, but %s, %s, %v from the cache", userAgent, v, platform, botType, bot)
		}
	})
}

func upperASCII(s string) string {
	upper := []byte(s)
	for i, c := range upper {
		if 'a' <= c && c <= 'z' {
			upper[i] = c - 'a' + 'A'
		}
	}
	return string(upper)
}

func BenchmarkBot(b *testing.B) {
	const gptBot = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	table := Default()
	for _, c := range []struct{ name, userAgent string }{{"browser", browsers[0]}, {"agent", gptBot}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				table.Bot(c.userAgent)
			}
		})
		b.Run(c.name+"/not cached", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				table.judge(c.userAgent)
			}
		})
	}
}
