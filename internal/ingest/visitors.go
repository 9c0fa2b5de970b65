package ingest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"strconv"
	"sync"

	"github.com/sightline-hq/sightline/internal/facts"
)

// visitors gives people an id without keeping their address (S19). The key
// changes with the ISO week, so ids of different weeks cannot be joined.
type visitors struct {
	secret []byte
	weeks  sync.Map // week → key
}

func newVisitors(secret []byte) *visitors { return &visitors{secret: secret} }

func (v *visitors) id(h *hit) uint64 {
	if h.visitorID != "" {
		return sum(v.secret, "visitor", h.websiteID, h.visitorID)
	}
	return sum(v.week(h.second), "address", h.websiteID, network(h.ip), h.userAgent)
}

func (v *visitors) week(second int64) []byte {
	week := facts.Week(second)
	if key, ok := v.weeks.Load(week); ok {
		return key.([]byte)
	}
	mac := hmac.New(sha256.New, v.secret)
	mac.Write([]byte("week " + strconv.FormatInt(week, 10)))
	key, _ := v.weeks.LoadOrStore(week, mac.Sum(nil))
	return key.([]byte)
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

// sum is the first 8 bytes of an HMAC over parts that cannot run together.
func sum(key []byte, parts ...string) uint64 {
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		mac.Write(binary.AppendUvarint(nil, uint64(len(p))))
		mac.Write([]byte(p))
	}
	return binary.BigEndian.Uint64(mac.Sum(nil))
}
