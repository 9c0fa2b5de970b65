package facts

import (
	"context"
	"sync/atomic"
	"time"
)

// Watch looks for news again and again, and knows why it could not.
type Watch struct {
	stop   context.CancelFunc
	done   chan struct{}
	failed atomic.Pointer[error]
}

// Begin calls update at a pace until End. It tells of each error, together with
// the one before, which is nil when all was well; and when all is well again.
func (w *Watch) Begin(ctx context.Context, pace time.Duration, update func(context.Context) error, tell func(before, now error)) {
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.done = make(chan struct{})
	go func() {
		defer close(w.done)
		ticker := time.NewTicker(pace)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				w.note(ctx, update(ctx), tell)
			}
		}
	}()
}

func (w *Watch) note(ctx context.Context, err error, tell func(before, now error)) {
	before := w.Err()
	if err == nil || ctx.Err() != nil {
		w.failed.Store(nil)
		if before != nil && ctx.Err() == nil {
			tell(before, nil)
		}
		return
	}
	w.failed.Store(&err)
	tell(before, err)
}

// Err returns why the last look failed, or nil.
func (w *Watch) Err() error {
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// End stops watching, and waits until it has ended.
func (w *Watch) End() {
	w.stop()
	<-w.done
}
