package server

import (
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/peer"
)

// Wrong keys from everywhere are remembered up to a bound, and the callers who
// sent most of them are not the ones who are forgotten.
func TestWrongKeysFromEverywhereAreRememberedUpToABound(t *testing.T) {
	k := newWrongKeys(Slowdown{Free: 2, Pause: time.Second}, slog.New(slog.DiscardHandler))
	now := time.Unix(1_000_000, 0)
	k.now = func() time.Time { return now }
	often := netip.MustParsePrefix("198.51.100.7/32")
	for range 3 {
		k.note(often)
	}
	for i := range 2 * knownCallers {
		k.note(peer.Network(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})))
		if len(k.callers) > knownCallers {
			t.Fatalf("%d callers are remembered", len(k.callers))
		}
	}
	if _, slow := k.note(often); !slow {
		t.Error("a flood from elsewhere hides who tries keys")
	}
	now = now.Add(time.Hour)
	k.note(netip.MustParsePrefix("192.0.2.1/32"))
	if most := knownCallers - forgetSample + 1; len(k.callers) > most {
		t.Errorf("%d callers are remembered who owe nothing", len(k.callers))
	}
}
