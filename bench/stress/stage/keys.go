package stage

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/world"
)

// create makes a key of a name that no other key has.
func (s *Stage) create(ctx context.Context, team *world.Team, name string, flags ...string) (key string, err error) {
	out, err := s.Program.Run(ctx, append([]string{"key", "create", "--team", team.ID, "--name", name}, flags...)...)
	return strings.TrimSpace(out), err
}

// RevokedKey makes a key and revokes it.
func (s *Stage) RevokedKey(ctx context.Context, team *world.Team, name string) (string, error) {
	key, err := s.create(ctx, team, name)
	if err != nil {
		return "", err
	}
	return key, s.revoke(ctx, name)
}

func (s *Stage) revoke(ctx context.Context, name string) error {
	id, err := s.keyID(ctx, name)
	if err != nil {
		return err
	}
	_, err = s.Program.Run(ctx, "key", "revoke", id)
	return err
}

// ExpiredKey makes a key that ends by itself after a time.
func (s *Stage) ExpiredKey(ctx context.Context, team *world.Team, name, after string) (string, error) {
	return s.create(ctx, team, name, "--expires", after)
}

// RotatedKey makes a key and rotates it: it goes on working for as long as the
// overlap, beside the new one.
func (s *Stage) RotatedKey(ctx context.Context, team *world.Team, name, overlap string) (old string, err error) {
	if old, err = s.create(ctx, team, name); err != nil {
		return "", err
	}
	id, err := s.keyID(ctx, name)
	if err != nil {
		return "", err
	}
	_, err = s.Program.Run(ctx, "key", "rotate", id, "--overlap", overlap)
	return old, err
}

// keyID finds the key of a name that works and has no successor.
func (s *Stage) keyID(ctx context.Context, name string) (string, error) {
	id, err := s.Program.Run(ctx, "key", "list", "--name", name, "--current", "--output", "id")
	if id = strings.TrimSpace(id); err == nil && (id == "" || strings.ContainsAny(id, "\n")) {
		err = fmt.Errorf("not one key %s that works: %q", name, id)
	}
	return id, err
}

// ShortLivedKey makes a key, waits until it works, revokes it, and waits until
// it no longer does.
func (s *Stage) ShortLivedKey(ctx context.Context, team *world.Team, name string) error {
	key, err := s.create(ctx, team, name)
	if err != nil {
		return err
	}
	if err := s.until(ctx, key, http.StatusOK); err != nil {
		return err
	}
	if err := s.revoke(ctx, name); err != nil {
		return err
	}
	return s.until(ctx, key, http.StatusUnauthorized)
}

// notice is how long a server may take to know of a change. A second is
// promised; a busy machine may hold it up.
const notice = 3 * time.Second

// until asks with a key until the status is the wanted one.
func (s *Stage) until(ctx context.Context, key string, want int) error {
	for deadline := time.Now().Add(notice); ; time.Sleep(20 * time.Millisecond) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Server.Address+"/v1/products", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+key)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		res.Body.Close()
		if res.StatusCode == want {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("a changed key is answered with %d after %s, want %d", res.StatusCode, notice, want)
		}
	}
}
