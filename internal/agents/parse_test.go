package agents

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

const (
	agentHeader    = "token,bot_type,platform,purpose,operator,doc_url,source,note\n"
	referrerHeader = "kind,value,platform,source,note\n"
)

func TestParseAgentsReadsATable(t *testing.T) {
	got, err := ParseAgents("my.csv", strings.NewReader("\uFEFF"+agentHeader+`My Bot, my-bot,mine,search,Me,https://me.example,"a, b",c`+"\n"))
	want := Agent{"My Bot", "my-bot", "mine", "search", "Me", "https://me.example", "a, b", "c", false}
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("ParseAgents = %+v, %v, want %+v", got, err, want)
	}
}

func TestColumnsThatDocumentMayBeLeftOutAndComeInAnyOrder(t *testing.T) {
	got, err := ParseAgents("my.csv", strings.NewReader("platform,note, token ,bot_type\nmine,x,My Bot,my-bot\n"))
	want := Agent{Token: "My Bot", BotType: "my-bot", Platform: "mine", Purpose: "other", Note: "x"}
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("ParseAgents = %+v, %v, want %+v", got, err, want)
	}
}

func TestParseAgentsSaysWhatIsWrongAndWhere(t *testing.T) {
	const good = "GPTBot,gptbot,openai,training,,,,\n"
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "my.csv: empty, expected the columns token,bot_type,platform and, if you like, purpose,operator,doc_url,source,note"},
		{"unknown column", strings.Replace(agentHeader, "token", "name", 1), `my.csv:1: there is no column "name": the columns are token,bot_type,`},
		{"no header", good, `my.csv:1: there is no column "GPTBot": the columns are token,bot_type,`},
		{"column left out", "token,bot_type\n", `my.csv:1: column "platform" is missing: the columns are token,bot_type,platform`},
		{"column twice", "token,bot_type,token\n", `my.csv:1: column "token" is there twice`},
		{"semicolons", "token;bot_type;platform\n", "my.csv:1: the columns must be separated by commas"},
		{"too few fields", agentHeader + good + "a,b\n", "my.csv:3: 2 fields, but the first line has 8: put a field with a comma"},
		{"open quote", agentHeader + `"GPTBot` + "\n", "my.csv:"},
		{"no token", agentHeader + ",gptbot,openai,training,,,,\n", `my.csv:2: token "" must start with a letter or digit`},
		{"token starts with a sign", agentHeader + "-a,gptbot,openai,training,,,,\n", `my.csv:2: token "-a" must start`},
		{"long token", agentHeader + strings.Repeat("a", 65) + ",gptbot,openai,training,,,,\n", "at most 64 bytes"},
		{"token beyond ASCII", agentHeader + "Böt,gptbot,openai,training,,,,\n", "must be ASCII"},
		{"bot type in upper case", agentHeader + "GPTBot,GPTBot,openai,training,,,,\n", `bot_type "GPTBot" must be a name in lower case`},
		{"bot type of humans", agentHeader + "GPTBot,none,openai,training,,,,\n", `bot_type "none" must be`},
		{"platform of other bots", agentHeader + "GPTBot,gptbot,other,training,,,,\n", `platform "other" must be`},
		{"no platform", agentHeader + "GPTBot,gptbot,,training,,,,\n", `platform "" must be`},
		{"unknown purpose", agentHeader + "GPTBot,gptbot,openai,fun,,,,\n", `purpose "fun" must be one of training, search, assistant, agent, other`},
		{"token twice", agentHeader + good + "gptBOT,x,openai,training,,,,\n", `my.csv:3: token "gptBOT" is already in the table: leave one`},
		{"bot type of two platforms", agentHeader + good + "Other,gptbot,claude,training,,,,\n", `my.csv:3: bot_type "gptbot" already belongs to platform "openai"`},
		{"line of a row behind a field of two lines", agentHeader + "A,a,openai,training,\"x\ny\",,,\n,,,,,,,\n", "my.csv:4: token"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseAgents("my.csv", strings.NewReader(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
				t.Errorf("ParseAgents = %+v, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestParseReferrersSaysWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range []struct{ name, row, want string }{
		{"unknown kind", "site,chatgpt.com,openai,,", `my.csv:2: kind "site" must be one of host, host_path`},
		{"no kind", ",chatgpt.com,openai,,", `my.csv:2: kind "" must be one of`},
		{"URL for a host", "host,https://chatgpt.com,openai,,", `my.csv:2: value "https://chatgpt.com" is no domain`},
		{"path for a host", "host,chatgpt.com/a,openai,,", `does not fit kind host`},
		{"host for a path", "host_path,bing.com,microsoft,,", `does not fit kind host_path`},
		{"no package", "android_app,,openai,,", `does not fit kind android_app`},
		{"no utm_source", "utm_source,,openai,,", "my.csv:2: value is empty"},
		{"no platform", "host,chatgpt.com,,,", `platform "" must be`},
		{"platform of humans", "utm_source,chatgpt,none,,", `platform "none" must be`},
		{"no domain to exclude", "exclude,google,,,", `value "google" is no domain`},
		{"twice", "host,a.example,a,,\nhost,A.example,b,,", `my.csv:3: host "A.example" is already in the table`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseReferrers("my.csv", strings.NewReader(referrerHeader+c.row+"\n"))
			if err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
				t.Errorf("ParseReferrers = %+v, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestParsePassesReadErrorsOn(t *testing.T) {
	broken := errors.New("disk on fire")
	if _, err := ParseReferrers("my.csv", iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("ParseReferrers = %v, want %v", err, broken)
	}
}

func TestDefaultTableIsWhole(t *testing.T) {
	if got := len(Default().Agents()); got < 140 {
		t.Errorf("%d agents, the table had 140 when this was written", got)
	}
	if got := len(Default().Referrers()); got < 79 {
		t.Errorf("%d referrers, the table had 79 when this was written", got)
	}
	for _, platform := range []string{"openai", "gemini", "google", "perplexity", "claude"} {
		found := false
		for _, a := range Default().Agents() {
			found = found || a.Platform == platform
		}
		if !found {
			t.Errorf("no agent of %s, a platform of the contract", platform)
		}
	}
}
