package ingest

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"net/netip"
	"strconv"
	"sync"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Salt is how long a visitor without an id of the sender's is the same one.
type Salt string

// The salts. Ids of different weeks, or days, cannot be joined.
const (
	SaltWeek Salt = "week" // the ISO week; what is not said
	SaltDay  Salt = "day"  // who comes on two days of a week counts twice in it
)

// ParseSalt reads a salt.
func ParseSalt(text string) (Salt, error) {
	if s := Salt(text); s == SaltWeek || s == SaltDay {
		return s, nil
	}
	return "", fmt.Errorf("%q is neither week nor day", text)
}

// visitors gives people an id without keeping their address (S19), under a key
// that changes with the ISO week, or with the day.
type visitors struct {
	secret []byte
	salt   Salt
	own    *sums    // of the senders' own ids, which hold for ever
	spans  sync.Map // start of a week or day → *sums
}

func newVisitors(secret []byte, salt Salt) *visitors {
	return &visitors{secret: secret, salt: cmp.Or(salt, SaltWeek), own: newSums(secret)}
}

// id is the id of the human behind a hit.
func (v *visitors) id(h *hit, d *desk) uint64 {
	m := d.message[:0]
	if h.visitorID != "" {
		m = part(part(part(m, "visitor"), h.websiteID), h.visitorID)
		d.message = m
		return v.own.sum(m)
	}
	var room [64]byte
	m = part(part(part(m, "address"), h.websiteID), network(room[:0], h.ip))
	m = part(m, h.agent.UserAgent)
	d.message = m
	return v.span(h.second).sum(m)
}

// part adds a part to a message, so that parts cannot run together.
func part[T string | []byte](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// span is the sums of the week or day of a second.
func (v *visitors) span(second int64) *sums {
	start := facts.Week(second)
	if v.salt == SaltDay {
		start = second - second%facts.DaySeconds
	}
	if s, ok := v.spans.Load(start); ok {
		return s.(*sums)
	}
	mac := hmac.New(sha256.New, v.secret)
	mac.Write([]byte(string(v.salt) + " " + strconv.FormatInt(start, 10)))
	s, _ := v.spans.LoadOrStore(start, newSums(mac.Sum(nil)))
	return s.(*sums)
}

// network is the address, of IPv6 its first half: the rest is the device's choice.
func network(to []byte, ip netip.Addr) []byte {
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		prefix, _ := ip.Prefix(64)
		return prefix.AppendTo(to)
	}
	if !ip.IsValid() {
		return to
	}
	return ip.AppendTo(to)
}

// sums computes sums under one key. It keeps hashes with the key worked in:
// that is half of the work.
type sums struct{ pool sync.Pool }

// keyed is a hash with its key, and room for what comes out.
type keyed struct {
	hash.Hash
	out []byte
}

func newSums(key []byte) *sums {
	return &sums{sync.Pool{New: func() any { return &keyed{Hash: hmac.New(sha256.New, key)} }}}
}

// sum is the first 8 bytes of an HMAC over a message.
func (s *sums) sum(message []byte) uint64 {
	k := s.pool.Get().(*keyed)
	defer s.pool.Put(k)
	k.Reset()
	k.Write(message)
	k.out = k.Sum(k.out[:0])
	return binary.BigEndian.Uint64(k.out)
}
