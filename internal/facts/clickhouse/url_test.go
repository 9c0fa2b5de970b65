package clickhouse

import (
	"fmt"
	"strings"
	"testing"
)

func noEnvironment(string) string { return "" }

func TestURLs(t *testing.T) {
	for url, want := range map[string]string{
		"clickhouse://h":                      "[h:9000] [h:8123] default sightline",
		"clickhouse://h:1/db":                 "[h:1] [h:8123] default db",
		"clickhouse://u@h,i:2/db?cluster=c-1": "[h:9000 i:2] [h:8123 i:8123] u db c-1",
		"clickhouse://u@h/db?secure=true":     "[h:9440] [h:8443] u db secure",
		"clickhouse://h/db?http=x:1,y":        "[h:9000] [x:1 y:8123] default db",
		"clickhouse://[::1]:9/db":             "[[::1]:9] [[::1]:8123] default db",
		"clickhouse://a%40b:p%2Fw@h/db":       "[h:9000] [h:8123] a@b db",
		"clickhouse://h?max_memory_usage=5":   "[h:9000] [h:8123] default sightline",
	} {
		c, err := ParseURL(url, noEnvironment)
		got := fmt.Sprint(c.Addresses, " ", c.HTTP, " ", c.User, " ", c.Database)
		if c.Cluster != "" {
			got += " " + c.Cluster
		}
		if c.Secure {
			got += " secure"
		}
		if err != nil || got != want {
			t.Errorf("%s: got %s (%v), want %s", url, got, err, want)
		}
	}
}

func TestThePasswordIsThatOfTheURLOrOfTheEnvironment(t *testing.T) {
	environment := func(name string) string { return map[string]string{PasswordVariable: "outside"}[name] }
	for url, want := range map[string]string{
		"clickhouse://u:in%2Fside@h/db": "in/side",
		"clickhouse://u@h/db":           "outside",
	} {
		if c, err := ParseURL(url, environment); err != nil || string(c.Password) != want {
			t.Errorf("%s: %q %v, want %q", url, string(c.Password), err, want)
		}
	}
}

func TestThePasswordNeverShows(t *testing.T) {
	const secret = "s3cr3t"
	c, err := ParseURL("clickhouse://u:"+secret+"@h/db", noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", c, c, c, c.Password); strings.Contains(text, secret) {
		t.Errorf("it shows: %s", text)
	}
	for _, url := range []string{
		"clickhouse://u:" + secret + "@", "clickhouse://u:" + secret + "@h:x/db", "clickhouse://u:" + secret + "@h/d-b",
		"clickhouse://u:" + secret + "%zz@h/db", "clickhouse://u:" + secret + "@h/db?x=1", "http://u:" + secret + "@h", "clickhouse://u:" + secret + "@h/db?%zz",
	} {
		if _, err := ParseURL(url, noEnvironment); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestWrongURLsAreRefused(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://h":                          "must begin with clickhouse://",
		"clickhouse://":                         "names no server",
		"clickhouse://h:0":                      "is not the address of a server",
		"clickhouse://h:99999":                  "is not the address of a server",
		"clickhouse://a:b:c":                    "is not the address of a server",
		"clickhouse://h,,i":                     "is not the address of a server",
		"clickhouse://h/a b":                    "cannot be the name of a database",
		"clickhouse://h/a;drop":                 "cannot be the name of a database",
		"clickhouse://h/a?cluster=a'b":          "cannot be the name of a cluster",
		"clickhouse://h/a?cluster=":             "must occur once",
		"clickhouse://h/a?cluster=a&cluster=b":  "must occur once",
		"clickhouse://h/a?secure=perhaps":       "true or false",
		"clickhouse://h/a?max_memory_usage=4GB": "number of bytes",
		"clickhouse://h/a?timeout=3":            "has no parameter timeout",
	} {
		if _, err := ParseURL(url, noEnvironment); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}
