package stage

import (
	"context"
	"fmt"
	"strings"

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

// Rotate replaces the key of that name by a new one.
func (s *Stage) Rotate(ctx context.Context, name string) error {
	id, err := s.keyID(ctx, name)
	if err == nil {
		_, err = s.Program.Run(ctx, "key", "rotate", id)
	}
	return err
}

// keyID finds the living key of a name in the list.
func (s *Stage) keyID(ctx context.Context, name string) (string, error) {
	list, err := s.Program.Run(ctx, "key", "list")
	if err != nil {
		return "", err
	}
	for line := range strings.SplitSeq(list, "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && strings.Contains(line, name) && !strings.Contains(line, "revoked") {
			return fields[0], nil
		}
	}
	return "", fmt.Errorf("no key %s in the list:\n%s", name, list)
}
