package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/questions"
	"github.com/sightline-hq/sightline/bench/compare/report"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

// growing are the questions that are asked about more and more days.
var growing = []int{1, 2, 3, 4, 5, 6, 7}

// growDays asks about more and more days.
func (b *bench) growDays(ctx context.Context) (err error) {
	all, err := questions.All()
	if err != nil {
		return err
	}
	server, err := b.serve(ctx, b.sightline(), "--no-cache")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	b.results.Days = nil
	for _, q := range all {
		if !slices.Contains(growing, q.Number) {
			continue
		}
		d := report.Days{Title: fmt.Sprintf("%d · %s", q.Number, q.Title)}
		var requests []string
		for _, days := range b.dayLengths {
			if q.Answers() || days <= b.world.VisitDays {
				d.Days, requests = append(d.Days, days), append(requests, q.WithDays(days, data.End).Request)
			}
		}
		if d.Times, err = b.medians(ctx, server, 3*b.repeat, requests); err != nil {
			return err
		}
		b.results.Days = append(b.results.Days, d)
	}
	b.results.Peaks["days"], err = server.Peak()
	return err
}

// medians asks for several things in turns, so that what else the machine does falls
// on all of them. Each is asked three times, and the third counts: what the others have
// pushed out of memory is at hand again, and the garbage of that is gone.
func (b *bench) medians(ctx context.Context, server *sightline.Server, repeat int, requests []string) (medians []float64, err error) {
	times := make([][]float64, len(requests))
	for range repeat {
		for i, request := range requests {
			var a sightline.Answer
			for range 3 {
				if a, err = server.Ask(ctx, request); err != nil {
					return nil, err
				}
			}
			times[i] = append(times[i], ms(a.Took))
		}
	}
	for _, t := range times {
		medians = append(medians, report.Median(t))
	}
	return medians, nil
}

// small makes another world, loads it into a data directory of its own, and
// removes its files again.
func (b *bench) small(ctx context.Context, name string, size data.Size) (sightline.Program, error) {
	p := sightline.Program{Path: b.program, Data: filepath.Join(b.root, name)}
	world, files := data.New(size), filepath.Join(b.root, name+"-files")
	if err := world.WriteFiles(files, progress("making "+name)); err != nil {
		return p, err
	}
	if _, err := fill(ctx, p, world, files); err != nil {
		return p, err
	}
	return p, os.RemoveAll(files)
}

// growWeeks starts servers on more and more weeks.
func (b *bench) growWeeks(ctx context.Context) error {
	b.results.Weeks = nil
	for _, weeks := range b.weekLengths {
		size := data.Size{Visits: b.weekVisits * weeks, Mentions: 0, VisitDays: 7 * weeks, AnswerDays: 7 * weeks, Others: 1, Seed: b.size.Seed}
		p, err := b.small(ctx, fmt.Sprintf("weeks-%d", weeks), size)
		if err != nil {
			return err
		}
		w, err := b.startOn(ctx, p, weeks)
		if err != nil {
			return err
		}
		b.results.Weeks = append(b.results.Weeks, w)
		b.results.Peaks[fmt.Sprintf("%d weeks", weeks)] = w.Peak
		say("%d weeks: first answer after %.0f ms", weeks, w.Start)
	}
	return nil
}

// startOn measures the start of a server, and what it then takes.
func (b *bench) startOn(ctx context.Context, p sightline.Program, weeks int) (w report.Weeks, err error) {
	w.Weeks = weeks
	all, err := questions.All()
	if err != nil {
		return w, err
	}
	for _, kind := range kinds {
		sizes, err := sightline.Measure(ctx, p.Data, kind.facts)
		if err != nil {
			return w, err
		}
		w.Files += sizes.Files
	}
	key, err := p.Key(ctx, data.Agency)
	if err != nil {
		return w, err
	}
	var starts []float64
	for round := range 5 {
		server, err := p.Serve(ctx, key, "--no-cache", "--memory", b.memory)
		if err != nil {
			return w, err
		}
		took, err := server.Wait(ctx, all[0].Request)
		starts = append(starts, ms(took))
		if round == 0 && err == nil {
			err = b.askWeeks(ctx, server, all[0], &w)
		}
		if err = errors.Join(err, server.Stop()); err != nil {
			return w, err
		}
	}
	w.Start = report.Median(starts)
	return w, nil
}

func (b *bench) askWeeks(ctx context.Context, server *sightline.Server, q *questions.Question, w *report.Weeks) (err error) {
	times, err := b.medians(ctx, server, b.repeat, []string{q.Request, q.WithDays(7*w.Weeks, data.End).Request})
	if err != nil {
		return err
	}
	w.Month, w.All = times[0], times[1]
	w.Peak, err = server.Peak()
	return err
}

// growTenants asks about the large product with the data of others once and ten times.
func (b *bench) growTenants(ctx context.Context) (err error) {
	all, err := questions.All()
	if err != nil {
		return err
	}
	var servers []*sightline.Server
	defer func() {
		for _, s := range servers {
			err = errors.Join(err, s.Stop())
		}
	}()
	for _, others := range []int{1, 10} {
		size := b.size
		size.Visits, size.Mentions, size.Others = b.size.Visits/b.tenantPart, b.size.Mentions/b.tenantPart, others
		p, err := b.small(ctx, fmt.Sprintf("tenants-%d", others), size)
		if err != nil {
			return err
		}
		s, err := b.serve(ctx, p, "--no-cache")
		if err != nil {
			return err
		}
		servers = append(servers, s)
	}
	b.results.Tenants = nil
	for _, q := range all {
		times := make([][]float64, len(servers))
		var bodies []string
		for round := range 3*b.repeat + 1 {
			for i, s := range servers {
				a, err := s.Ask(ctx, q.Request)
				if err != nil {
					return err
				}
				if round == 0 {
					bodies = append(bodies, string(a.Body))
				} else {
					times[i] = append(times[i], ms(a.Took))
				}
			}
		}
		if bodies[0] != bodies[1] {
			return fmt.Errorf("question %d, %s: the data of others changes the answer", q.Number, q.Title)
		}
		b.results.Tenants = append(b.results.Tenants, report.Tenant{Title: fmt.Sprintf("%d · %s", q.Number, q.Title), Base: report.Median(times[0]), Ten: report.Median(times[1])})
	}
	b.results.Peaks["tenants"], err = servers[1].Peak()
	return err
}
