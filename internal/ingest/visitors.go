package ingest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/netip"
	"strconv"
	"sync"

	"github.com/sightline-hq/sightline/internal/facts"
)

// visitors gives people an id without keeping their address (S19). The key
// changes with the ISO week, so ids of different weeks cannot be joined.
type visitors struct {
	secret []byte
	own    *sums    // of the senders' own ids, which hold for ever
	weeks  sync.Map // week → *sums
}

func newVisitors(secret []byte) *visitors {
	return &visitors{secret: secret, own: newSums(secret)}
}

func (v *visitors) id(h *hit) uint64 {
	if h.visitorID != "" {
		return v.own.sum("visitor", h.websiteID, h.visitorID)
	}
	return v.week(h.second).sum("address", h.websiteID, network(h.ip), h.userAgent)
}

func (v *visitors) week(second int64) *sums {
	week := facts.Week(second)
	if s, ok := v.weeks.Load(week); ok {
		return s.(*sums)
	}
	mac := hmac.New(sha256.New, v.secret)
	mac.Write([]byte("week " + strconv.FormatInt(week, 10)))
	s, _ := v.weeks.LoadOrStore(week, newSums(mac.Sum(nil)))
	return s.(*sums)
}

// network is the address, of IPv6 its first half: the rest is the device's choice.
func network(ip netip.Addr) string {
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		prefix, _ := ip.Prefix(64)
		return prefix.String()
	}
	if !ip.IsValid() {
		return ""
	}
	return ip.String()
}

// sums computes sums under one key. It keeps hashes with the key worked in:
// that is half of the work.
type sums struct{ pool sync.Pool }

// keyed is a hash with its key, and room for what goes in and comes out.
type keyed struct {
	hash.Hash
	in, out []byte
}

func newSums(key []byte) *sums {
	return &sums{sync.Pool{New: func() any { return &keyed{Hash: hmac.New(sha256.New, key)} }}}
}

// sum is the first 8 bytes of an HMAC over parts that cannot run together.
func (s *sums) sum(parts ...string) uint64 {
	k := s.pool.Get().(*keyed)
	defer s.pool.Put(k)
	k.Reset()
	k.in = k.in[:0]
	for _, p := range parts {
		k.in = append(binary.AppendUvarint(k.in, uint64(len(p))), p...)
	}
	k.Write(k.in)
	k.out = k.Sum(k.out[:0])
	return binary.BigEndian.Uint64(k.out)
}
