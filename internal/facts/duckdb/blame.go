package duckdb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	duck "github.com/duckdb/duckdb-go/v2"
)

// blame says which file made a statement fail, and notes what has to be done
// about it.
func (s *set) blame(ctx context.Context, statement string, err error) error {
	var e *duck.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	var touched []file
	for _, f := range s.files {
		if !strings.Contains(statement, f.database()+".") {
			continue
		}
		if damage := s.absent[f.name]; damage != nil {
			return damage
		}
		touched = append(touched, f)
	}
	switch e.Type {
	case duck.ErrorTypeIO, duck.ErrorTypeSerialization:
		s.inspector.distrust(touched)
	case duck.ErrorTypeFatal, duck.ErrorTypeInternal:
		s.inspector.distrust(touched)
		s.probe(ctx, err)
	}
	return err
}

// probe finds out whether an error has made the engine refuse everything that
// follows. Some do, on purpose, because it cannot know what state it is in.
func (s *set) probe(ctx context.Context, cause error) {
	if _, err := s.db.ExecContext(context.WithoutCancel(ctx), "select 1"); err != nil {
		first, _, _ := strings.Cut(cause.Error(), "\n") // a stack follows
		cause = fmt.Errorf("the engine has failed and is opened again: %s", first)
		s.poisoned.CompareAndSwap(nil, &cause)
	}
}
