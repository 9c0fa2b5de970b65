package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/show"
)

// promptOrder is how prompts are sorted, and how many of them are wanted.
type promptOrder struct {
	by  string
	top int64
}

// orderChange needs both periods.
const orderChange = "change"

// promptOrders are the best first; positions and ranks are best when small.
var promptOrders = map[string]func(api.PromptMetric) *float64{
	"visibility": func(p api.PromptMetric) *float64 { return negative(p.Visibility) },
	"position":   func(p api.PromptMetric) *float64 { return p.Position },
	"rank":       func(p api.PromptMetric) *float64 { return asFloat(p.Rank) },
	"runs":       func(p api.PromptMetric) *float64 { return negative(asFloat(p.RunCount)) },
}

var orderNames = []string{"visibility", "position", "rank", orderChange, "runs"}

func (o *promptOrder) add(c *cobra.Command) {
	c.Flags().StringVar(&o.by, "sort", "", "`FIGURE` to sort by, the best first: "+strings.Join(orderNames, ", ")+" (default by prompt)")
	c.Flags().Int64Var(&o.top, "top", 0, "only the first `N` rows (default all)")
	complete(c, "sort", fixed(orderNames...))
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if err := atLeastOne(c, "top", o.top); err != nil {
			return err
		}
		if o.by != "" {
			if o.by, err = oneOf(c, "sort", o.by, orderNames); err != nil {
				return err
			}
		}
		if compare, _ := c.Flags().GetBool("compare"); o.by == orderChange && !compare {
			return wrong(c, "sorts by the change with --compare only")
		}
		return run(c, args)
	}
}

// apply sorts and cuts an answer. What is not known comes last.
func (o *promptOrder) apply(rows []api.PromptMetric) []api.PromptMetric {
	if o.by == orderChange {
		return rows
	}
	if figure := promptOrders[o.by]; figure != nil {
		slices.SortStableFunc(rows, func(a, b api.PromptMetric) int {
			x, y := figure(a), figure(b)
			switch {
			case x == nil && y == nil:
				return 0
			case x == nil:
				return 1
			case y == nil:
				return -1
			}
			return cmp.Compare(*x, *y)
		})
	}
	return first(rows, o.top)
}

// compared sorts by the change, which only a comparison knows.
func (o *promptOrder) compared(tables []show.Table) (err error) {
	if o.by == orderChange {
		tables[0], err = show.SortByChange(tables[0], "visibility", o.top)
	}
	return err
}

// first are the first n rows; 0 is all. Nil stays nil: it is a list that was not
// asked for.
func first[T any](rows []T, n int64) []T {
	if n <= 0 {
		return rows
	}
	return rows[:min(int64(len(rows)), n)]
}

func atLeastOne(c *cobra.Command, flag string, n int64) error {
	if n < 1 && c.Flags().Changed(flag) {
		return wrong(c, fmt.Sprintf("has --%s of at least 1", flag))
	}
	return nil
}

func negative(v *float64) *float64 {
	if v == nil {
		return nil
	}
	return new(-*v)
}

func asFloat(n *int64) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n))
}
