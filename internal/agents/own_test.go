package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inFile writes a user's own table and returns its path.
func inFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "own.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOwnRowsAreAddedAndReplaceRowsOfTheSameToken(t *testing.T) {
	table, err := WithFile(inFile(t, "token,bot_type,platform\nNewsAI,newsai,newsai\ngptbot,gptbot,mine\nGPTBot-Preview,gptbot-preview,openai\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, userAgent, platform, botType string }{
		{"added", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 newsai/1.0 Safari/537.36", "newsai", "newsai"},
		{"replaced", "GPTBot/1.2", "mine", "gptbot"},
		{"longer than a built-in one", "GPTBot-Preview/1.2", "openai", "gptbot-preview"},
		{"built-in", "ClaudeBot/1.0", "claude", "claudebot"},
		{"another bot", "curl/8.5.0", "other", "other"},
		{"a browser", browsers[0], "none", "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if platform, botType, _ := table.Bot(c.userAgent); platform != c.platform || botType != c.botType {
				t.Errorf("Bot(%q) = %s, %s, want %s, %s", c.userAgent, platform, botType, c.platform, c.botType)
			}
		})
	}
	if platform, _ := table.PlatformOf("gptbot"); platform != "mine" {
		t.Errorf("PlatformOf(gptbot) = %s, want mine", platform)
	}
	if platform, _ := table.ReferredBy("", "https://chatgpt.com/"); platform != "openai" {
		t.Errorf("referrers are not those of the built-in table: %q", platform)
	}
}

func TestOwnRowsAreMarked(t *testing.T) {
	table, err := WithFile(inFile(t, "token,bot_type,platform\nNewsAI,newsai,newsai\nGPTBot,gptbot,openai\n"))
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for _, a := range table.Agents() {
		if a.Own {
			own = append(own, a.Token)
		}
	}
	if got := strings.Join(own, " "); got != "GPTBot NewsAI" || len(table.Agents()) != len(Default().Agents())+1 {
		t.Errorf("%d rows, own rows: %s", len(table.Agents()), got)
	}
	expect(t, "NewsAI/1.0 (x)", "none", "none") // the built-in table is as it was
}

func TestTokensThatMatchEveryoneAreRefused(t *testing.T) {
	for _, token := range []string{
		"", "a", "ai", "-", "/", "...", "5.0", "131.0.0.0", "537.36",
		"Mozilla", "mozilla", "Mozilla/5.0", "Mozilla/4.0", "AppleWebKit", "KHTML", "like", "like Gecko", "Gecko", "Gecko/",
		"Chrome", "Chrome/142", "Chrome/142.0.0.0", "Safari", "Safari/", "Firefox", "Firefox/150.0", "Edg", "Version", "Mobile", "iPhone",
		"Windows", "Windows NT", "Windows NT 11.0", "Macintosh", "Intel Mac OS X", "Android", "Linux", "x86_64", "x64",
		"compatible", "bot", "Bots", "crawler", "spider", "http", "https", "agent",
	} {
		t.Run(token, func(t *testing.T) {
			_, err := WithFile(inFile(t, "token,bot_type,platform\n\""+token+"\",mine,mine\n"))
			if err == nil || !strings.Contains(err.Error(), "own.csv:2: token ") || !strings.Contains(err.Error(), "such as GPTBot") {
				t.Errorf("token %q: %v, want a refusal with the line and what to do", token, err)
			}
		})
	}
}

func TestTokensThatNameAnAgentAreNotRefused(t *testing.T) {
	tokens := []string{"newsai", "MyBot", "My Bot", "Chromebot", "Botify", "http-fetch", "ExaBot", "7Siters", "ai2", "curl", "Mozilla-Crawler"}
	for _, a := range Default().Agents() {
		tokens = append(tokens, a.Token)
	}
	for _, token := range tokens {
		if err := checkTelling(token); err != nil {
			t.Error(err)
		}
	}
}

func TestAnOwnTableSaysWhatIsWrongAndWhere(t *testing.T) {
	const header = "token,bot_type,platform\n"
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "own.csv: empty, expected the columns token,bot_type,platform"},
		{"a referrer table", "kind,value,platform\n", `own.csv:1: there is no column "kind"`},
		{"bot type of another platform", header + "A-Bot,a-bot,a\nNewBot,claudebot,mine\n", `own.csv:3: bot_type "claudebot" belongs to platform "claude" (ClaudeBot): write that one`},
		{"platform of other bots", header + "A-Bot,a-bot,other\n", `own.csv:2: platform "other" must be`},
		{"token twice", header + "A-Bot,a-bot,a\na-bot,b-bot,a\n", `own.csv:3: token "a-bot" is already in the table`},
		{"escape sequence", header + "\x1b[31mBot,a-bot,a\n", `own.csv:2: token "\x1b[31mBot" must start`},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := WithFile(inFile(t, c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) || table != nil {
				t.Errorf("WithFile = %v, want %q", err, c.want)
			}
		})
	}
}

func TestAnOwnTableThatCannotBeReadIsNamed(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "nowhere.csv"), t.TempDir()} {
		if _, err := WithFile(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("WithFile(%s) = %v, want the path in it", path, err)
		}
	}
}
