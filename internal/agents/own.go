package agents

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// WithFile returns the table that comes with Sightline with the rows of a
// user's own: they are added, or replace the row with the same token. The file
// is an agent table as ParseAgents reads it. Errors say where and what to do.
func WithFile(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the agents: %w", err)
	}
	defer f.Close()
	builtIn := Default()
	own, err := parseAgents(path, f, func(a Agent) error {
		if err := checkAgent(a); err != nil {
			return err
		}
		if err := checkTelling(a.Token); err != nil {
			return err
		}
		return builtIn.checkFits(a)
	})
	if err != nil {
		return nil, err
	}
	for i := range own {
		own[i].Own = true
	}
	return New(append(builtIn.Agents(), own...), builtIn.referrers), nil
}

// checkFits refuses a row that would give the bot type of another row a second
// platform: a bot type has one.
func (t *Table) checkFits(own Agent) error {
	for _, a := range t.agents {
		if a.BotType == own.BotType && a.Platform != own.Platform && !strings.EqualFold(a.Token, own.Token) {
			return fmt.Errorf("bot_type %q belongs to platform %q (%s): write that one, or another bot_type", a.BotType, a.Platform, a.Token)
		}
	}
	return nil
}

// minToken keeps out what is in many user agents by chance.
const minToken = 3

// everyone is what visitors of all kinds send: browsers, and words of bots that
// do not name one.
const everyone = `
Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0 OPR/115.0.0.0
Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko
Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15
Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0
Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; NOKIA; Lumia 920)
Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18
Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Vivaldi/7.0
Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 YaBrowser/24.12 Safari/537.36
Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/131.0 like Chrome/131.0.0.0 Safari/537.36
Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.230803.041)
MobileSafari/8619 CFNetwork/1568 Darwin/24.1.0
okhttp/4.12.0
Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 SamsungBrowser/28.0 Chrome/131.0.0.0 Mobile Safari/537.36
Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 FxiOS/133.0 GSA/102.0 Mobile/15E148 Safari/604.1
Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1 Instagram 123.1 [FBAN/FBIOS;FBAV/263.0]
Mozilla/5.0 (compatible; bot; bots; robot; crawler; spider; scraper; fetcher; agent; client; user; +http://example.com; +https://example.com)
`

// number is masked, so that Chrome/142 is refused as Chrome/131 is.
var number = regexp.MustCompile(`[0-9][0-9._]*`)

// checkTelling refuses a token that would make an AI agent of nearly everyone.
func checkTelling(token string) error {
	if len(token) < minToken || strings.Trim(token, "0123456789._-/ ") == "" {
		return fmt.Errorf("token %q is in user agents of all kinds: %s", token, writeTheName)
	}
	alone := New([]Agent{{Token: number.ReplaceAllString(token, "0")}}, nil)
	if alone.agent(number.ReplaceAllString(everyone, "0")) != nil {
		return fmt.Errorf("token %q is in the user agents of ordinary browsers or bots, which would all count as this agent: %s", token, writeTheName)
	}
	return nil
}
