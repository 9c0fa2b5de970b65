package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

// exampleServer stands in for a Sightline server.
func exampleServer() *httptest.Server {
	answers := map[string]string{
		"/v1/products":                     `[{"id":101,"name":"Acme Rocket","website":"https://www.acme.example","domain":"acme.example","partnerWebsites":[]}]`,
		"/v1/products/101/prompts/summary": `{"position":1.8,"visibility":0.37,"rank":2,"totalCompetitors":4}`,
		"/v1/products/101/analytics/timeseries": `{"previousPage":null,"currentPage":1,"nextPage":null,"totalPages":1,"totalItems":2,"perPage":1000,"items":[` +
			`{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","botVisits":312},` +
			`{"timestamp":"2026-03-09T00:00:00Z","platform":"openai","botVisits":298}]}`,
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(api.HeaderRequestID, "DHJ4WLQ6CBQTNB5AXXP2IGD4UQ")
		if r.URL.Path == "/v1/products/101/prompts" {
			if _, err := api.DecodePrompts(r.URL.RawQuery); err != nil {
				w.Header().Set(api.HeaderErrorDetail, err.Error())
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"message":%q}`, api.MessageBadRequest)
				return
			}
		}
		fmt.Fprintln(w, answers[r.URL.Path])
	}))
}

func Example() {
	server := exampleServer() // yours is at an address such as https://sightline.example
	defer server.Close()

	c, err := client.New(server.URL, "sl_example") // from a secret store or the environment
	if err != nil {
		log.Fatal(err)
	}
	products, err := c.Products(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range products {
		fmt.Println(p.ID, p.Name, p.Domain)
	}
	// Output: 101 Acme Rocket acme.example
}

func ExampleNew() {
	c, err := client.New("https://sightline.example", "sl_example",
		client.WithUserAgent("weekly-report/2"),
		client.WithMaxAttempts(3),
		client.WithTotalTime(30*time.Second),
		client.WithCache(16<<20),
	)
	fmt.Println(c, err)
	// Output: client of https://sightline.example <nil>
}

func ExampleClient_PromptSummary() {
	server := exampleServer()
	defer server.Close()
	c, err := client.New(server.URL, "sl_example")
	if err != nil {
		log.Fatal(err)
	}
	summary, err := c.PromptSummary(context.Background(), 101, api.PromptsRequest{
		Domain: "acme.example",
		Window: api.Window{
			From: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
			To:   time.Date(2026, 3, 31, 23, 59, 59, 0, time.UTC),
		},
		Platforms: []string{"openai", "perplexity"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if summary.Visibility == nil { // no prompt was run
		fmt.Println("no figures")
		return
	}
	fmt.Printf("visible in %.0f %% of answers, rank %d among %d competitors\n",
		100**summary.Visibility, *summary.Rank, summary.TotalCompetitors)
	// Output: visible in 37 % of answers, rank 2 among 4 competitors
}

func ExampleClient_TimeseriesRows() {
	server := exampleServer()
	defer server.Close()
	c, err := client.New(server.URL, "sl_example")
	if err != nil {
		log.Fatal(err)
	}
	request := api.TimeseriesRequest{
		Window: api.Window{
			From: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
			To:   time.Date(2026, 3, 15, 23, 59, 59, 0, time.UTC),
		},
		Interval: api.Week,
		GroupBy:  []api.Dimension{api.ByPlatform},
	}
	for row, err := range c.TimeseriesRows(context.Background(), 101, request) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(row.Timestamp, *row.Platform, *row.BotVisits)
	}
	// Output:
	// 2026-03-02T00:00:00Z openai 312
	// 2026-03-09T00:00:00Z openai 298
}

func ExampleError() {
	server := exampleServer()
	defer server.Close()
	c, err := client.New(server.URL, "sl_example")
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Prompts(context.Background(), 101, api.PromptsRequest{Domain: "acme.example"})

	var failure *client.Error
	switch {
	case errors.Is(err, client.ErrBadRequest) && errors.As(err, &failure):
		fmt.Println("mend the request:", failure.Detail)
		fmt.Println("in the server's log:", failure.RequestID)
	case errors.Is(err, client.ErrUnauthorized):
		fmt.Println("mend the key or the product")
	case errors.Is(err, client.ErrUnavailable):
		fmt.Println("try again later")
	}
	// Output:
	// mend the request: dateFrom: required
	// in the server's log: DHJ4WLQ6CBQTNB5AXXP2IGD4UQ
}
