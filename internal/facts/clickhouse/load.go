package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/sightline-hq/sightline/internal/facts"
)

// sending is how many blocks may be on their way; then reading waits.
const sending = 2

// load is one load. Visits without an id go where they will stay, under a
// version that nobody reads yet; whatever has an id waits beside that until all
// ids are known. It implements facts.Load.
type load struct {
	*Loader
	kind     facts.Kind
	firstKey int64 // the answer key of seq 0
	seq      int64 // of rows, in the order of the input

	ctx     context.Context // of the blocks on their way
	cancel  context.CancelFunc
	senders *errgroup.Group
	blocks  map[string]*block
	sent    map[string]int64 // rows by table
	done    bool
}

// Columns of what is loaded, in the order in which they are written.
const (
	visitColumns    = "ts, website_id, bot, referred, platform, bot_type, visitor, url_path, normalized_url_path, url_path_directory, user_agent"
	answerColumns   = "answer_key, ts, product_id, prompt_id, platform"
	mentionColumns  = "answer_key, ts, prompt_id, platform, product_id, position"
	citationColumns = "answer_key, ts, prompt_id, platform, domain, url"
)

// Begin implements facts.Loader.
func (l *Loader) Begin(ctx context.Context, kind facts.Kind) (facts.Load, error) {
	if err := l.begin(ctx, nil); err != nil {
		return nil, err
	}
	key, err := scalar(ctx, l.shards[0], "select max(next_answer_key) from "+l.local("publishes"))
	if err != nil {
		return nil, err
	}
	d := &load{Loader: l, kind: kind, firstKey: max(key, 1), blocks: make(map[string]*block), sent: make(map[string]int64)}
	ctx, d.cancel = context.WithCancel(ctx)
	d.senders, d.ctx = errgroup.WithContext(ctx)
	d.senders.SetLimit(sending)
	return d, nil
}

// block is where the rows of a table are gathered.
func (d *load) block(table, columns string) *block {
	b := d.blocks[table]
	if b == nil {
		b = newBlock(table, columns)
		d.blocks[table] = b
	}
	return b
}

// end completes a row, and sends the block if that is full.
func (d *load) end(b *block) error {
	d.sent[b.table]++
	full, err := b.end()
	if err != nil || !full {
		return err
	}
	return d.send(b)
}

func (d *load) send(b *block) error {
	delete(d.blocks, b.table)
	if err := b.gzip.Close(); err != nil {
		return err
	}
	d.senders.Go(func() error {
		ctx, cancel := context.WithTimeout(d.ctx, insertTime)
		defer cancel()
		return d.rows.insert(ctx, d.all(b.table), b.columns, b.packed.Bytes())
	})
	if d.ctx.Err() != nil { // one has failed: say why
		return d.senders.Wait()
	}
	return nil
}

// flush sends what is left and waits until all of it has arrived, complete.
func (d *load) flush(ctx context.Context) error {
	for _, b := range d.blocks {
		if err := d.send(b); err != nil {
			return err
		}
	}
	if err := d.senders.Wait(); err != nil {
		return err
	}
	if err := d.settle(ctx, slices.Sorted(maps.Keys(d.sent))...); err != nil {
		return err
	}
	for table, sent := range d.sent {
		arrived, err := scalar(ctx, d, fmt.Sprintf("select count() from %s where version = %d", d.all(table), d.version))
		if err != nil {
			return err
		}
		if d.servers.replicated() && arrived > sent {
			return fmt.Errorf("%d rows were sent to %s, but %d are there: has each shard internal_replication true in remote_servers?", sent, d.all(table), arrived)
		}
		if arrived != sent {
			return fmt.Errorf("%d rows were sent to %s, but %d are there", sent, d.all(table), arrived)
		}
	}
	return nil
}

// AddVisit implements facts.Load.
func (d *load) AddVisit(v *facts.Visit) error {
	d.seq++
	var b *block
	if v.ID == "" {
		b = d.block("visits", "week, version, "+visitColumns)
		b.int64(facts.Week(v.Second), d.version)
	} else {
		b = d.block("staged_visits", "week, version, id, seq, "+visitColumns)
		b.int64(facts.Week(v.Second), d.version)
		b.text(v.ID)
		b.int64(d.seq)
	}
	b.int64(v.Second)
	b.text(v.WebsiteID)
	b.flag(v.Bot)
	b.flag(v.Referred)
	b.text(v.Platform, v.BotType)
	b.uint64(v.Visitor)
	b.text(v.URLPath, v.NormalizedURLPath, v.URLPathDirectory, v.UserAgent)
	return d.end(b)
}

// AddAnswer implements facts.Load.
func (d *load) AddAnswer(a *facts.Answer) error {
	key := d.firstKey + d.seq
	d.seq++
	start := func(b *block) *block {
		b.int64(facts.Week(a.Second), d.version)
		return b
	}
	b := start(d.block("staged_answers", "week, version, id, seq, "+answerColumns))
	b.text(a.ID)
	b.int64(d.seq, key, a.Second, a.ProductID, a.PromptID)
	b.text(a.Platform)
	if err := d.end(b); err != nil {
		return err
	}
	for _, m := range a.Mentions {
		b := start(d.block("staged_mentions", "week, version, "+mentionColumns))
		b.int64(key, a.Second, a.PromptID)
		b.text(a.Platform)
		b.int64(m.ProductID, m.Position)
		if err := d.end(b); err != nil {
			return err
		}
	}
	for _, c := range a.Citations {
		b := start(d.block("staged_citations", "week, version, "+citationColumns))
		b.int64(key, a.Second, a.PromptID)
		b.text(a.Platform, c.Domain, c.URL)
		if err := d.end(b); err != nil {
			return err
		}
	}
	return nil
}

// Abort implements facts.Load: the rows stay where nobody looks, and are dropped
// by the next load. Their version is not used again.
func (d *load) Abort() error {
	if d.done {
		return nil
	}
	d.done = true
	d.cancel()
	_ = d.senders.Wait() // what it says does not matter any more
	d.release(context.Background())
	return nil
}
