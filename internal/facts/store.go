package facts

import (
	"context"
	"time"
)

// Store is a place where facts are kept, as a command sees it. Making one does
// nothing yet.
type Store interface {
	// Follow gives what is published, and keeps up with it until it is closed.
	Follow(ctx context.Context, options Following) (Live, error)
	// OpenLoader waits for other loads to end; it calls waiting once, with who
	// is in front, if it has to.
	OpenLoader(ctx context.Context, waiting func(who string)) (Loader, error)
	// Status reads what the store holds. It writes nothing and waits for nobody.
	Status(ctx context.Context) (Status, error)
	// PlanPrune says what a prune would remove now. It only reads, too. Where
	// nothing was ever loaded, its version is 0.
	PlanPrune(ctx context.Context, before time.Time) (Pruned, error)
	// PlanForget says what forgetting would remove now, likewise.
	PlanForget(ctx context.Context, whose Whose) (Forgotten, error)
}

// Live is the published facts while they are followed.
type Live interface {
	Source
	// Err returns why the facts cannot be followed at the moment, or nil.
	Err() error
	// Damaged says of each file that is missing or not what was published what is
	// wrong with it, and what to do. Reports that touch one that is not open fail,
	// others do not.
	Damaged() []Damage
	Close() error
}

// Damage is a file that is missing or not what was published.
type Damage struct {
	File string // its name
	What string // is wrong with it, and what to do
	// Open says that it is missing, but open: reports go on until the next start.
	Open bool
}

func (d Damage) String() string { return d.What }

// Following says how to follow.
type Following struct {
	// Poll is how often a new version is looked for.
	Poll time.Duration
	// Memory bounds an engine within this process, in bytes; 0: as it likes.
	Memory int64
	// Hot bounds what is kept at hand of the facts beside the engine, in bytes.
	Hot int64
	// Spill is a folder for what reports cannot hold in that memory; empty: they fail.
	Spill string
	// OnError is told of errors while following, and nil when it goes on; the last good
	// set stays in use.
	OnError func(error)
	// OnDamage is told what Damaged says whenever that changes.
	OnDamage func(damaged []Damage)
}
