package mention

import (
	"slices"
	"testing"
)

func TestURLs(t *testing.T) {
	const a, b = "https://a.example/x", "https://b.example/y"
	cases := map[string]struct {
		text string
		want []string
	}{
		"no URL":                        {"Acme, acme.com, ftp://a.example, mailto:x@a.example, https://", nil},
		"bare text":                     {"See " + a + " and\n" + b, []string{a, b}},
		"the same twice":                {a + " " + b + " " + a, []string{a, b}},
		"end of a sentence":             {"See " + a + ". Or " + b + "!?", []string{a, b}},
		"an ellipsis":                   {a + "... " + b + "…", []string{a, b}},
		"quotes":                        {`"` + a + `", '` + b + `', “https://c.example/”`, []string{a, b, "https://c.example/"}},
		"in brackets":                   {"(" + a + ") [" + b + "]", []string{a, b}},
		"brackets of its own":           {"(https://a.example/A_(b)) https://b.example/A_(b)", []string{"https://a.example/A_(b)", "https://b.example/A_(b)"}},
		"in emphasis":                   {"**" + a + "** _" + b + "_", []string{a, b}},
		"in code":                       {"`" + a + "`", []string{a}},
		"in a table":                    {"|" + a + "|" + b + "|", []string{a, b}},
		"in HTML":                       {`<a href="` + a + `">x</a> <a href='` + b + `'>`, []string{a, b}},
		"inline link":                   {"[x](" + a + ") [y](" + b + ").", []string{a, b}},
		"links without space":           {"[x](" + a + ")[y](" + b + ")", []string{a, b}},
		"link with a title":             {"[x](" + a + ` "A title") [y](` + b + " 'T')", []string{a, b}},
		"link with brackets":            {"[x](https://a.example/A_(b)_c)", []string{"https://a.example/A_(b)_c"}},
		"link in brackets":              {"([x](" + a + "))", []string{a}},
		"link that ends in punctuation": {"[x](https://a.example/Inc.)", []string{"https://a.example/Inc."}},
		"link with a comma in angles":   {"[x](<https://a.example/p q,r>)", []string{"https://a.example/p%20q,r"}},
		"link with letters and dashes":  {"[x](https://a.example/Ä–ö)", []string{"https://a.example/Ä–ö"}},
		"URL as the text of its link":   {"[" + a + "](" + a + ")", []string{a}},
		"image":                         {"![x](" + a + ")", []string{a}},
		"link that never closes":        {"[x](" + a + ", and", []string{a}},
		"reference definition":          {"[x][1]\n\n[1]: " + a + "\n[2]: <" + b + "> \"T\"", []string{a, b}},
		"footnote":                      {"x[^1]\n\n[^1]: Acme, " + a + ".", []string{a}},
		"footnote mark behind a URL":    {"see " + a + "[1], " + b + "[^2]", []string{a, b}},
		"autolink":                      {"<" + a + "> <https://b.example/y,>", []string{a, "https://b.example/y,"}},
		"broken autolink":               {"<" + a + " b>", []string{a}},
		"escapes":                       {`https://a.example/a\_b [x](https://b.example/a\_b)`, []string{"https://a.example/a_b", "https://b.example/a_b"}},
		"entities":                      {"https://a.example/?a=1&amp;b=2", []string{"https://a.example/?a=1&b=2"}},
		"query with brackets":           {"https://a.example/?a[]=1&b[]=2.", []string{"https://a.example/?a[]=1&b[]=2"}},
		"scheme in upper case":          {"HTTP://A.example/X", []string{"HTTP://A.example/X"}},
		"other schemes":                 {"git+https://a.example/x xhttps://a.example shttp://b.example", nil},
		"a URL inside a URL":            {"https://a.example/https://b.example/y", []string{"https://a.example/https://b.example/y"}},
		"IPv6 and port":                 {"http://[2001:db8::1]:8080/x.", []string{"http://[2001:db8::1]:8080/x"}},
		"Chinese punctuation":           {"见" + a + "。（" + b + "）", []string{a, b}},
		"Japanese right behind a host":  {"https://a.exampleを使う", []string{"https://a.example"}},
		"letters outside ASCII":         {"https://ja.example/東京 https://bücher.example/ä", []string{"https://ja.example/東京", "https://bücher.example/ä"}},
		"no host":                       {"http:///x https://?a https://:80/ https://*/ [x](http://<)", nil},
		"broken escape":                 {"https://a.example/%zz " + b, []string{b}},
		"invalid UTF-8":                 {a + "\xff\xfe " + b, []string{a, b}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := URLs(c.text); !slices.Equal(got, c.want) {
				t.Errorf("URLs(%q)\n got %q\nwant %q", c.text, got, c.want)
			}
		})
	}
}
