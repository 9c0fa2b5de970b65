// Package demo makes a believable workspace and its data: AI answers and
// pageviews for as many days as one likes, in the formats that apply and load
// read. It does no I/O of its own.
//
// All of it is invented, and all of it is repeatable: the events of a day depend
// on its date alone. A period can therefore be generated in pieces, for example
// 90 days at first and what has happened since at the next start, and the pieces
// add up to the same lines, byte for byte.
package demo

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed workspace.yaml
var workspace []byte

// Workspace returns the demo's workspace file, as YAML.
func Workspace() []byte { return bytes.Clone(workspace) }

type (
	world struct {
		Products []*product `yaml:"products"`
		byID     map[int64]*product
		sites    []*site // tracked websites
	}
	product struct {
		ID          int64     `yaml:"id"`
		Team        string    `yaml:"team"`
		Name        string    `yaml:"name"`
		Names       []string  `yaml:"names"`
		Competitors []int64   `yaml:"competitors"`
		Websites    []website `yaml:"websites"`
		Prompts     []*prompt `yaml:"prompts"`

		pages []page // what answers to its prompts cite
	}
	website struct {
		ID      string `yaml:"websiteId"`
		Domain  string `yaml:"domain"`
		Tracked *bool  `yaml:"tracked"`
	}
	prompt struct {
		ID        int64    `yaml:"id"`
		Text      string   `yaml:"text"`
		Platforms []string `yaml:"platforms"`

		contenders []contender // its product and the competitors
	}
	// contender is a product that answers to a prompt may mention.
	contender struct {
		*product
		named bool // in the prompt itself
	}
)

// demoWorld reads the workspace once. It is part of the program, so a mistake
// in it is a mistake in the program.
var demoWorld = sync.OnceValue(func() *world {
	w := &world{byID: make(map[int64]*product)}
	if err := yaml.Unmarshal(workspace, w); err != nil {
		panic(fmt.Sprintf("demo workspace: %v", err))
	}
	for _, p := range w.Products {
		w.byID[p.ID] = p
	}
	for _, p := range w.Products {
		p.pages = pagesFor(p.ID)
		for _, q := range p.Prompts {
			q.contenders = w.contenders(p, q.Text)
		}
		for _, site := range p.Websites {
			if site.Tracked == nil || *site.Tracked {
				w.sites = append(w.sites, newSite(site.ID, site.Domain))
			}
		}
	}
	return w
})

func (w *world) contenders(p *product, text string) (list []contender) {
	for _, id := range append([]int64{p.ID}, p.Competitors...) {
		c := w.byID[id]
		named := strings.Contains(text, c.Name)
		for _, name := range c.Names {
			named = named || strings.Contains(text, name)
		}
		list = append(list, contender{c, named})
	}
	return list
}
