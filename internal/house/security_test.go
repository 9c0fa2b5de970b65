package house

import (
	"regexp"
	"strings"
	"testing"
)

var (
	testFile = regexp.MustCompile("`([a-zA-Z0-9_/]+_test\\.go)`")
	threat   = regexp.MustCompile(`^\| (?:API|V)[0-9]`)
	testName = regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`")
)

// Every test that docs/security.md names exists in the file that it names, and
// every row of its tables of threats has one.
func TestTheTestsInTheThreatModelExist(t *testing.T) {
	named, rows := 0, 0
	for line := range strings.Lines(string(read(t, "../../docs/security.md"))) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !threat.MatchString(line) {
			if testName.MatchString(line) {
				t.Errorf("a test is named outside the tables: %s", line)
			}
			continue
		}
		rows++
		if len(cells) != 3 || strings.TrimSpace(cells[1]) == "" {
			t.Errorf("a row has %d cells: %s", len(cells), line)
			continue
		}
		found := 0
		for group := range strings.SplitSeq(cells[2], ";") {
			file := testFile.FindStringSubmatch(group)
			names := testName.FindAllStringSubmatch(group, -1)
			if file == nil || len(names) == 0 {
				t.Errorf("%s: %q names no file, or no test in it", cells[0], group)
				continue
			}
			source := string(read(t, "../../"+file[1]))
			for _, name := range names {
				found++
				if !strings.Contains(source, "\nfunc "+name[1]+"(") {
					t.Errorf("%s: there is no %s in %s", cells[0], name[1], file[1])
				}
			}
		}
		if found == 0 {
			t.Errorf("%s has no test", cells[0])
		}
		named += found
	}
	if rows < 30 || named < 80 {
		t.Errorf("%d tests in %d rows", named, rows)
	}
}

// All ten risks are there, in their order.
func TestTheThreatModelHasEveryRisk(t *testing.T) {
	var risks []string
	for _, m := range regexp.MustCompile(`(?m)^\| (API\d+) `).FindAllStringSubmatch(string(read(t, "../../docs/security.md")), -1) {
		risks = append(risks, m[1])
	}
	if got := strings.Join(risks, " "); got != "API1 API2 API3 API4 API5 API6 API7 API8 API9 API10" {
		t.Errorf("the risks are %s", got)
	}
}
