package clickhouse

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Old servers know no parameters, so text is written into the SQL here, and
// nowhere else.

// quote makes a string literal that ends where the string ends, whatever is in
// it: quotes and backslashes are escaped, and so is every control character.
func quote(s string) string {
	const hex = "0123456789abcdef"
	text := make([]byte, 0, len(s)+2)
	text = append(text, '\'')
	for i := range len(s) {
		switch b := s[i]; {
		case b == '\'' || b == '\\':
			text = append(text, '\\', b)
		case b < ' ' || b == 0x7f:
			text = append(text, '\\', 'x', hex[b>>4], hex[b&15])
		default:
			text = append(text, b)
		}
	}
	return string(append(text, '\''))
}

// literal is a value in SQL.
func literal(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return quote(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	}
	return "", fmt.Errorf("a %T cannot be written into SQL", value)
}

// bind writes the arguments of a statement into their places. The SQL is ours:
// it has no question marks but those.
func bind(s facts.Statement) (string, error) {
	parts := strings.Split(s.SQL, "?")
	if len(parts) != len(s.Args)+1 {
		return "", fmt.Errorf("a statement has %d places for %d arguments", len(parts)-1, len(s.Args))
	}
	var text strings.Builder
	text.WriteString(parts[0])
	for i, value := range s.Args {
		l, err := literal(value)
		if err != nil {
			return "", err
		}
		text.WriteString(l + parts[i+1])
	}
	return text.String(), nil
}
