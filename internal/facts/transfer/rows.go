package transfer

import (
	"context"
	"errors"
	"iter"

	"github.com/sightline-hq/sightline/internal/facts"
)

// copyVisits reads the visits of a week into a load, day by day: an engine may
// hold all rows of a statement in memory.
func copyVisits(ctx context.Context, from facts.Set, week int64, load facts.Load) error {
	for day := week; day < week+facts.WeekSeconds; day += facts.DaySeconds {
		if err := copyDay(ctx, from, day, load); err != nil {
			return err
		}
	}
	return nil
}

func copyDay(ctx context.Context, from facts.Set, day int64, load facts.Load) error {
	columns := []string{"id", "ts", "website_id", "bot", "referred", "platform", "bot_type", "visitor", "url_path", "normalized_url_path", "url_path_directory", "user_agent"}
	last := day + facts.DaySeconds - 1
	statement := "select coalesce(id, ''), ts, website_id, bot, referred, platform, bot_type, visitor, url_path, normalized_url_path, url_path_directory, user_agent" +
		" from " + from.Table(facts.Visits, columns, day, last) + " where " + from.Within(facts.Visits, day, last)
	return from.Query(ctx, facts.Statement{SQL: statement}, func(scan facts.Scan) error {
		v := facts.Visit{Origin: &facts.Origin{}, Page: &facts.Page{}, Agent: &facts.Agent{}}
		var bot, referred, visitor facts.Int
		err := scan(&v.ID, (*facts.Int)(&v.Second), &v.WebsiteID, &bot, &referred, &v.Platform, &v.BotType, &visitor,
			&v.URLPath, &v.NormalizedURLPath, &v.URLPathDirectory, &v.UserAgent)
		if err != nil {
			return err
		}
		v.Bot, v.Referred, v.Visitor = bot == 1, referred == 1, uint64(visitor)
		return load.AddVisit(&v)
	})
}

// keyed is something of an answer.
type keyed[T any] struct {
	key   int64
	value T
}

// errEnough ends a query of which no more is wanted.
var errEnough = errors.New("enough")

// inOrder reads rows of a table of answers by answer, one after the other.
func inOrder[T any](ctx context.Context, from facts.Set, table facts.Table, columns []string, week int64, read func(scan facts.Scan, k *keyed[T]) error) iter.Seq2[keyed[T], error] {
	first, last := week, week+facts.WeekSeconds-1
	list := "answer_key"
	for _, c := range columns {
		list += ", " + c
	}
	statement := facts.Statement{SQL: "select " + list + " from " + from.Table(table, append([]string{"answer_key", "ts"}, columns...), first, last) +
		" where " + from.Within(table, first, last) + " order by " + list}
	return func(yield func(keyed[T], error) bool) {
		err := from.Query(ctx, statement, func(scan facts.Scan) error {
			var k keyed[T]
			if err := read(scan, &k); err != nil {
				return err
			}
			if !yield(k, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(keyed[T]{}, err)
		}
	}
}

// parts takes what belongs to an answer, key by key.
type parts[T any] struct {
	next func() (keyed[T], error, bool)
	held keyed[T]
	more bool
	err  error
}

func newParts[T any](seq iter.Seq2[keyed[T], error]) (p *parts[T], stop func()) {
	next, stop := iter.Pull2(seq)
	p = &parts[T]{next: next}
	p.held, p.err, p.more = next()
	return p, stop
}

// of returns the parts of an answer. Answers are asked for in order.
func (p *parts[T]) of(key int64) (all []T, err error) {
	for p.more && p.err == nil && p.held.key <= key {
		if p.held.key == key {
			all = append(all, p.held.value)
		}
		p.held, p.err, p.more = p.next()
	}
	return all, p.err
}

// copyAnswers reads the answers of a week, with their mentions and citations, into
// a load.
func copyAnswers(ctx context.Context, from facts.Set, week int64, load facts.Load) error {
	mentions, stopMentions := newParts(inOrder(ctx, from, facts.Mentions, []string{"product_id", "position"}, week, func(scan facts.Scan, k *keyed[facts.Mention]) error {
		return scan((*facts.Int)(&k.key), (*facts.Int)(&k.value.ProductID), (*facts.Int)(&k.value.Position))
	}))
	defer stopMentions()
	citations, stopCitations := newParts(inOrder(ctx, from, facts.Citations, []string{"url", "domain"}, week, func(scan facts.Scan, k *keyed[facts.Citation]) error {
		return scan((*facts.Int)(&k.key), &k.value.URL, &k.value.Domain)
	}))
	defer stopCitations()
	answers := inOrder(ctx, from, facts.Answers, []string{"id", "ts", "product_id", "prompt_id", "platform"}, week, func(scan facts.Scan, k *keyed[facts.Answer]) error {
		return scan((*facts.Int)(&k.key), &k.value.ID, (*facts.Int)(&k.value.Second), (*facts.Int)(&k.value.ProductID), (*facts.Int)(&k.value.PromptID), &k.value.Platform)
	})
	for k, err := range answers {
		a := k.value
		if err == nil {
			a.Mentions, err = mentions.of(k.key)
		}
		if err == nil {
			a.Citations, err = citations.of(k.key)
		}
		if err == nil {
			err = load.AddAnswer(&a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
