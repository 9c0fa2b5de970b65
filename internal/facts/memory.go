package facts

import "context"

// MemoryUser is a set whose engine runs within this process.
type MemoryUser interface {
	// MemoryBytes is how much the engine has taken at the moment.
	MemoryBytes(ctx context.Context) (int64, error)
}
