package agents

import "testing"

func TestReferredBy(t *testing.T) {
	for _, c := range []struct{ name, utmSource, referrer, platform string }{
		{"host", "", "https://chatgpt.com/", "openai"},
		{"host with path", "", "https://claude.ai/chat/1", "claude"},
		{"www", "", "https://www.perplexity.ai/search?q=x", "perplexity"},
		{"subdomain", "", "https://labs.perplexity.ai/", "perplexity"},
		{"upper case", "", "HTTPS://ChatGPT.com", "openai"},
		{"the longest host wins over an excluded one", "", "https://gemini.google.com/app", "gemini"},
		{"another name that ends alike", "", "https://notchatgpt.com/", ""},
		{"another name that starts alike", "", "https://chatgpt.com.evil.example/", ""},
		{"a parent of a listed host", "", "https://openai.com/", ""},
		{"search is not AI", "", "https://www.google.com/", ""},
		{"nor is another service of a search engine", "", "https://mail.google.com/", ""},
		{"path", "", "https://www.bing.com/chat?q=x", "microsoft"},
		{"path goes on", "", "https://x.com/i/grok/share/1", "xai"},
		{"path of another segment", "", "https://www.bing.com/chatter", ""},
		{"path cut by the browser", "", "https://x.com/", ""},
		{"Android app", "", "android-app://com.openai.chatgpt/", "openai"},
		{"Android app that is not listed", "", "android-app://com.google.android.gm/", ""},
		{"a package is no host", "", "https://com.openai.chatgpt/", ""},
		{"utm_source", "chatgpt.com", "", "openai"},
		{"utm_source in any case", " ChatGPT.com ", "", "openai"},
		{"utm_source before the referrer", "perplexity", "https://chatgpt.com/", "perplexity"},
		{"utm_source that says nothing", "newsletter", "https://chatgpt.com/", "openai"},
		{"utm_source is compared whole", "chatgpt.com.evil", "", ""},
		{"utm_medium names no platform", "ai-assistant", "", ""},
		{"nothing", "", "", ""},
		{"dash", "", "-", ""},
		{"no scheme", "", "chatgpt.com", ""},
		{"garbage", "\x00", "://%", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			platform, ok := Default().ReferredBy(c.utmSource, c.referrer)
			if platform != c.platform || ok != (c.platform != "") {
				t.Errorf("ReferredBy(%q, %q) = %q, %v, want %q", c.utmSource, c.referrer, platform, ok, c.platform)
			}
		})
	}
}

func TestEveryReferrerRowWorks(t *testing.T) {
	for _, r := range Default().Referrers() {
		utmSource, referrer := "", "https://www."+r.Value+"/x"
		switch r.Kind {
		case KindApp:
			referrer = "android-app://" + r.Value + "/"
		case KindUTMSource, KindUTMMedium:
			utmSource, referrer = r.Value, ""
		}
		want := r.Platform
		if r.Kind == KindExclude || r.Kind == KindUTMMedium {
			want = ""
		}
		if got, _ := Default().ReferredBy(utmSource, referrer); got != want {
			t.Errorf("ReferredBy(%q, %q) = %q, want %q", utmSource, referrer, got, want)
		}
	}
}

func TestExcludeKeepsALessSpecificHostFromMatching(t *testing.T) {
	rows := []Referrer{
		{Kind: KindHost, Value: "ai.example", Platform: "example"},
		{Kind: KindExclude, Value: "blog.ai.example"},
		{Kind: KindHostPath, Value: "blog.ai.example/chat/", Platform: "chat"},
		{Kind: KindHost, Value: "beta.blog.ai.example", Platform: "beta"},
	}
	table := New(nil, rows)
	for referrer, want := range map[string]string{
		"https://ai.example/":               "example",
		"https://app.ai.example/":           "example",
		"https://blog.ai.example/":          "",
		"https://en.blog.ai.example/":       "",
		"https://blog.ai.example/chat":      "chat",
		"https://beta.blog.ai.example/post": "beta",
	} {
		if got, _ := table.ReferredBy("", referrer); got != want {
			t.Errorf("ReferredBy(%q) = %q, want %q", referrer, got, want)
		}
	}
}

func TestLaterRowsReplaceEarlierOnes(t *testing.T) {
	table := New(
		append(Default().Agents(), Agent{Token: "gptbot", BotType: "my-bot", Platform: "mine"}),
		append(Default().Referrers(),
			Referrer{Kind: KindHost, Value: "ChatGPT.com", Platform: "mine"},
			Referrer{Kind: KindHost, Value: "kagi.com", Platform: "kagi"},
			Referrer{Kind: KindExclude, Value: "you.com"},
		))
	if platform, botType, bot := table.Bot("GPTBot/1.0"); platform != "mine" || botType != "my-bot" || !bot {
		t.Errorf("Bot(GPTBot) = %s, %s, %v", platform, botType, bot)
	}
	if got, want := len(table.Agents()), len(Default().Agents()); got != want {
		t.Errorf("%d agents, want %d", got, want)
	}
	for host, want := range map[string]string{"chatgpt.com": "mine", "kagi.com": "kagi", "you.com": "", "claude.ai": "claude"} {
		if got, ok := table.ReferredBy("", "https://"+host+"/"); got != want || ok != (want != "") {
			t.Errorf("ReferredBy(%s) = %q, %v, want %q", host, got, ok, want)
		}
	}
}

func BenchmarkReferredBy(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Default().ReferredBy("", "https://www.perplexity.ai/")
	}
}
