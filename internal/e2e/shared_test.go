package e2e

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts/clickhouse/chdbtest"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

// shared are the engines that all tests of this package ask, one after the other:
// starting them takes longer than most tests.
var shared struct {
	mu     sync.Mutex
	shards *clickhousetest.Cluster
	today  *chdbtest.Engine
	ends   []func()
	failed bool // while it was ended
}

// lasting is a test whose servers and folders stay until the last test has ended.
type lasting struct{ testing.TB }

func (lasting) Cleanup(end func()) { shared.ends = append(shared.ends, end) }

// Errorf is for what goes wrong at the end, when the test is long over.
func (lasting) Errorf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	shared.failed = true
}

func (l lasting) TempDir() string {
	dir, err := os.MkdirTemp("", "sightline-e2e-")
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// twoShards are real servers, of which the first can also be used alone.
func twoShards(t testing.TB) *clickhousetest.Cluster {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.shards == nil {
		shared.shards = clickhousetest.Start(lasting{t}, 2)
	}
	return shared.shards
}

func todaysEngine(t testing.TB, library string) *chdbtest.Engine {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.today == nil {
		shared.today = chdbtest.Start(lasting{t}, library)
	}
	return shared.today
}

// endShared ends what was started, after tests that ended with an exit code, and
// returns theirs or that of a failure.
func endShared(code int) int {
	for _, end := range slices.Backward(shared.ends) {
		end()
	}
	if shared.failed {
		return max(code, 1)
	}
	return code
}
