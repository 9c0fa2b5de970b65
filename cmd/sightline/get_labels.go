package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/show"
)

// labelIDs reads labels: ids as they are, and names, which the prompts of the
// product tell. A name that several labels have is nobody's.
func labelIDs(c *cobra.Command, from *client.Client, product int64, r api.PromptsRequest, given []string) (ids []int64, err error) {
	var names map[int64]string
	for _, text := range given {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
			continue
		}
		if names == nil {
			if names, err = labelNames(c, from, product, r); err != nil {
				return nil, err
			}
		}
		id, err := labelOf(c, names, text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func labelNames(c *cobra.Command, from *client.Client, product int64, r api.PromptsRequest) (map[int64]string, error) {
	rows, err := from.Prompts(c.Context(), product, api.PromptsRequest{Domain: r.Domain, Window: r.Window})
	names := make(map[int64]string)
	for _, row := range rows {
		for _, l := range row.Labels {
			names[l.ID] = l.Name
		}
	}
	return names, err
}

func labelOf(c *cobra.Command, names map[int64]string, text string) (found int64, err error) {
	var known []string
	matches := 0
	for _, id := range slices.Sorted(maps.Keys(names)) {
		known = append(known, fmt.Sprintf("%d %s", id, show.Printable(names[id])))
		if strings.EqualFold(names[id], text) {
			found = id
			matches++
		}
	}
	switch {
	case matches == 1:
		return found, nil
	case matches > 1:
		return 0, wrong(c, fmt.Sprintf("has --label %q, which is the name of several labels: name one by its id, of %s", text, strings.Join(known, ", ")))
	case len(known) == 0:
		return 0, wrong(c, fmt.Sprintf("has a wrong --label: %q is no id, and no prompt has a label", text))
	}
	return 0, wrong(c, fmt.Sprintf("has --label %s, not %q", strings.Join(known, ", "), text))
}

// promptPlatforms are the platforms that prompts are tracked on, for those who
// asked for another and got nothing.
func promptPlatforms(c *cobra.Command, from *client.Client, product int64, r api.PromptsRequest) []string {
	if !c.Flags().Changed("platform") {
		return nil
	}
	rows, err := from.Prompts(c.Context(), product, api.PromptsRequest{Domain: r.Domain, Window: r.Window})
	if err != nil {
		return nil // it is a hint
	}
	var names []string
	for _, row := range rows {
		names = append(names, show.Printable(row.Platform))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// trafficPlatforms are those that agents and people may have come from.
func trafficPlatforms() []string {
	names := []string{api.PlatformNone, api.PlatformOther}
	for _, agent := range agents.Default().Agents() {
		names = append(names, agent.Platform)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
