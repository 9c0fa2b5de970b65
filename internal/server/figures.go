package server

import (
	"errors"
	"net/http"
	"sync/atomic"

	"github.com/sightline-hq/sightline/internal/peer"
)

// Figures are how a server fares: what is so now, and what was counted since it
// started.
type Figures struct {
	Running, Waiting       int64 // reports, now
	TurnedAway             int64
	CacheHits, CacheMisses int64
	CacheBytes             int64 // now
	NoKeys, WrongKeys      int64 // requests that were refused for it
	WrongProducts          int64
	Slowed                 int64 // answers to wrong keys that wait now
}

// refused counts requests with the 401, by reason.
type refused struct{ noKeys, wrongKeys, wrongProducts atomic.Int64 }

// Figures are valid once there is a handler.
func (s *Server) Figures() Figures {
	f := Figures{
		Running: int64(len(s.gate.places)), Waiting: s.gate.waiting.Load(), TurnedAway: s.gate.turnedAway.Load(),
		NoKeys: s.refused.noKeys.Load(), WrongKeys: s.refused.wrongKeys.Load(), WrongProducts: s.refused.wrongProducts.Load(),
		Slowed: s.wrongKeys.waiting(),
	}
	f.CacheHits, f.CacheMisses, f.CacheBytes = s.cache.figures()
	return f
}

// unauthorized counts a request without access, and makes who tries keys wait.
func (s *Server) unauthorized(r *http.Request, err error) error {
	switch {
	case errors.Is(err, errNoKey):
		s.refused.noKeys.Add(1)
	case errors.Is(err, errWrongKey):
		s.refused.wrongKeys.Add(1)
		if late := s.wrongKeys.pause(r.Context(), peer.Network(s.Proxies.Caller(r))); late != nil {
			return late
		}
	default:
		s.refused.wrongProducts.Add(1)
	}
	return err
}
