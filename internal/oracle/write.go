package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// WorkspaceJSON writes the teams and products as a workspace file.
func (w *World) WorkspaceJSON() []byte {
	type object = map[string]any
	teams, products := []object{}, []object{}
	for _, t := range w.Teams {
		o := object{"id": t.ID, "name": t.Name}
		if len(t.Manages) > 0 {
			o["manages"] = t.Manages
		}
		teams = append(teams, o)
	}
	for _, p := range w.Catalog {
		products = append(products, p.object())
	}
	return encode(object{"teams": teams, "products": products})
}

func (p Product) object() map[string]any {
	o := map[string]any{"id": p.ID, "name": p.Name, "website": p.Website, "domain": p.Domain}
	if p.Team != "" {
		o["team"] = p.Team
	}
	if len(p.Competitors) > 0 {
		o["competitors"] = p.Competitors
	}
	var websites, labels, prompts []map[string]any
	for _, s := range p.Websites {
		websites = append(websites, s.object())
	}
	for _, l := range p.Labels {
		labels = append(labels, map[string]any{"id": l.ID, "name": l.Name})
	}
	for _, q := range p.Prompts {
		prompts = append(prompts, q.object(p))
	}
	for name, list := range map[string][]map[string]any{"websites": websites, "labels": labels, "prompts": prompts} {
		if len(list) > 0 {
			o[name] = list
		}
	}
	return o
}

func (s Website) object() map[string]any {
	o := map[string]any{"websiteId": s.ID, "domain": s.Domain}
	if s.Partner {
		o["partner"] = true
	}
	if s.Untracked {
		o["tracked"] = false
	}
	return o
}

func (q Prompt) object(p Product) map[string]any {
	o := map[string]any{"id": q.ID, "text": q.Text, "platforms": q.Platforms}
	// The product's own domain is the default: write it for every other prompt.
	if q.Domain != p.Domain || q.ID%2 == 0 {
		o["domain"] = q.Domain
	}
	if len(q.Labels) > 0 {
		o["labels"] = q.Labels
	}
	return o
}

// AnswersNDJSON writes the given part, from 0, of the answers.
func (w *World) AnswersNDJSON(part, parts int) []byte {
	return lines(part, parts, w.Answers, Answer.object)
}

func (a Answer) object() map[string]any {
	mentions, citations := []map[string]any{}, []string{}
	for _, m := range a.Mentions {
		mentions = append(mentions, map[string]any{"productId": m.ProductID, "position": m.Position})
	}
	for _, c := range a.Citations {
		citations = append(citations, c.Sent)
	}
	return map[string]any{
		"id": a.ID, "promptId": a.PromptID, "platform": a.Platform, "at": a.At.Sent,
		"mentions": mentions, "citations": citations,
	}
}

// PageviewsNDJSON writes the given part, from 0, of the pageviews.
func (w *World) PageviewsNDJSON(part, parts int) []byte {
	return lines(part, parts, w.Pageviews, Pageview.object)
}

func (l Pageview) object() map[string]any {
	o := map[string]any{"at": l.At.Sent, "websiteId": l.WebsiteID, "url": l.URL, "userAgent": l.UserAgent}
	for name, value := range map[string]string{
		"id": l.ID, "method": l.Method, "referrer": l.Referrer, "ip": l.IP,
		"visitorId": l.VisitorID, "platform": l.Platform, "botType": l.BotType,
	} {
		if value != "" {
			o[name] = value
		}
	}
	if l.Status != 0 {
		o["status"] = l.Status
	}
	return o
}

// AnswerLoads are the answers as the files to load, one after the other.
func (w *World) AnswerLoads() [][]byte { return loads(w.Loads, w.AnswersNDJSON) }

// PageviewLoads are the pageviews as the files to load, one after the other.
func (w *World) PageviewLoads() [][]byte { return loads(w.Loads, w.PageviewsNDJSON) }

// loads leaves out empty parts. A load is known by its content, so two equal
// parts would count once: then everything is one load.
func loads(parts int, write func(part, parts int) []byte) (files [][]byte) {
	for part := range max(1, parts) {
		file := write(part, max(1, parts))
		for _, other := range files {
			if bytes.Equal(file, other) && len(file) > 0 {
				return [][]byte{write(0, 1)}
			}
		}
		if len(file) > 0 {
			files = append(files, file)
		}
	}
	return files
}

func lines[T any](part, parts int, all []T, object func(T) map[string]any) (out []byte) {
	for _, one := range all[len(all)*part/parts : len(all)*(part+1)/parts] {
		out = append(out, encode(object(one))...)
	}
	return out
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only maps, slices, strings and numbers come here
	}
	return append(text, '\n')
}

// GoString keeps the report of a failed property readable: a small world is
// shown as its files, a large one is counted.
func (w *World) GoString() string {
	files := [][]byte{w.WorkspaceJSON(), w.AnswersNDJSON(0, 1), w.PageviewsNDJSON(0, 1)}
	if text := bytes.Join(files, []byte("--\n")); len(text) < 8_000 {
		return fmt.Sprintf("world in %d loads:\n%s", w.Loads, text)
	}
	return fmt.Sprintf("world of %d teams, %d products, %d answers, %d pageviews",
		len(w.Teams), len(w.Catalog), len(w.Answers), len(w.Pageviews))
}
