package stage

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/world"
)

// DeadKey makes a key and revokes it.
func (s *Stage) DeadKey(ctx context.Context, team *world.Team, name string) (string, error) {
	key, err := s.Program.Run(ctx, "key", "create", "--team", team.ID, "--name", name)
	if err != nil {
		return "", err
	}
	id, err := s.keyID(ctx, name)
	if err != nil {
		return "", err
	}
	_, err = s.Program.Run(ctx, "key", "revoke", id)
	return strings.TrimSpace(key), err
}

// keyID finds the living key of a name in the list.
func (s *Stage) keyID(ctx context.Context, name string) (string, error) {
	list, err := s.Program.Run(ctx, "key", "list")
	if err != nil {
		return "", err
	}
	for line := range strings.SplitSeq(list, "\n") {
		if fields := strings.Fields(line); slices.Contains(fields, name) && !slices.Contains(fields, "revoked") {
			return fields[0], nil
		}
	}
	return "", fmt.Errorf("no key %s in the list:\n%s", name, list)
}

// ShortLivedKey makes a key, waits until it works, revokes it, and waits until
// it no longer does.
func (s *Stage) ShortLivedKey(ctx context.Context, team *world.Team, name string) error {
	out, err := s.Program.Run(ctx, "key", "create", "--team", team.ID, "--name", name)
	if err != nil {
		return err
	}
	key := strings.TrimSpace(out)
	if err := s.until(ctx, key, http.StatusOK); err != nil {
		return err
	}
	id, err := s.keyID(ctx, name)
	if err != nil {
		return err
	}
	if _, err := s.Program.Run(ctx, "key", "revoke", id); err != nil {
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
