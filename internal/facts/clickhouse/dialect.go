package clickhouse

import (
	"strconv"
	"strings"
)

// Dialect is ClickHouse's spelling of the few things that engines spell
// differently.
type Dialect struct{}

// CountIf implements facts.Dialect.
func (Dialect) CountIf(condition string) string { return "countIf(" + condition + ")" }

// keyed is what the keys of visits stand for: the strings themselves are
// counted, as uniqExact keeps a sum of 128 bits of them and not the text.
var keyed = map[string]string{"website_key": "website_id", "page_key": "normalized_url_path", "agent_key": "user_agent"}

// DistinctIf implements facts.Dialect.
func (Dialect) DistinctIf(condition string, columns ...string) string {
	var arguments []string
	for _, c := range columns {
		if key, ok := keyed[c]; ok {
			c = key
		}
		arguments = append(arguments, c)
	}
	return "uniqExactIf(" + strings.Join(append(arguments, condition), ", ") + ")"
}

// Grouped implements facts.Dialect.
func (Dialect) Grouped(column string) (shown, key string) { return column, "" }

// When implements facts.Dialect: a day takes less time to read than a second.
func (Dialect) When() string { return "day" }

// TopPer implements facts.Dialect.
func (Dialect) TopPer(query, partition, order string, n int64) string {
	return "select * from (\n" + query + "\n) top\norder by " + partition + ", " + order +
		"\nlimit " + strconv.FormatInt(n, 10) + " by " + partition
}

// CountOver implements facts.Dialect: servers of 2018 have no window functions.
func (Dialect) CountOver(bool) string { return "" }
