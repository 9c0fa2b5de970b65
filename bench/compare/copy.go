package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sightline-hq/sightline/bench/compare/engines"
	"github.com/sightline-hq/sightline/bench/compare/questions"
	"github.com/sightline-hq/sightline/bench/compare/report"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

// database is where Sightline keeps its facts on the ClickHouse server, beside
// the plain tables.
const database = "sightline"

// copyMark, in the folder of the ClickHouse server, says which data directory
// the database is a copy of.
const copyMark = "copied"

// origin knows a data directory again, by its secret.
func origin(data string) (string, error) {
	secret, err := os.ReadFile(filepath.Join(data, "secret"))
	return fmt.Sprintf("%x", sha256.Sum256(secret)), err
}

// copyFacts copies Sightline's facts to the ClickHouse server, once for each
// data directory. A copy that was interrupted goes on.
func (b *bench) copyFacts(ctx context.Context) (err error) {
	i := slices.IndexFunc(b.kinds, func(k engines.Kind) bool { return k.Name == report.ClickHouse })
	if i < 0 {
		say("left out")
		return nil
	}
	p, folder := b.sightline(), filepath.Join(b.root, report.ClickHouse)
	from, err := origin(p.Data)
	if err != nil {
		return fmt.Errorf("%w (stage load makes it)", err)
	}
	mark := filepath.Join(folder, copyMark)
	was, _ := os.ReadFile(mark)
	if string(was) == from && b.results.Copy != nil {
		return nil
	}
	e, err := b.kinds[i].Open(ctx, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if begun := []byte("begun " + from); !bytes.Equal(was, begun) { // of another directory, or nothing
		if err := e.Exec(ctx, "drop database if exists "+database); err != nil {
			return err
		}
		if err := os.WriteFile(mark, begun, 0o644); err != nil {
			return err
		}
	}
	p.Facts = e.(engines.Keeper).Facts(database)
	took, err := p.Copy(ctx)
	if err != nil {
		return err
	}
	say("copied the facts to ClickHouse in %.1f s", took.Seconds)
	if err := os.WriteFile(mark, []byte(from), 0o644); err != nil {
		return err
	}
	b.results.Copy = &report.Copy{Seconds: took.Seconds}
	b.results.Copy.Bytes, err = engines.Bytes(copyFolder(folder))
	return err
}

func copyFolder(folder string) string { return filepath.Join(folder, "store", "data", database) }

// plainBytes is what an engine takes on disk, without Sightline's copy there.
func plainBytes(folder string) (int64, error) {
	all, err := engines.Bytes(folder)
	if err != nil {
		return 0, err
	}
	ours, err := engines.Bytes(copyFolder(folder))
	return all - ours, err
}

// serveCopy starts a server on the copied facts; nil: there are none.
func (b *bench) serveCopy(ctx context.Context, peers []peer) (*sightline.Server, error) {
	i := slices.IndexFunc(peers, func(p peer) bool { return p.Name == report.ClickHouse })
	if i < 0 {
		return nil, nil
	}
	p := b.sightline()
	from, err := origin(p.Data)
	if err != nil {
		return nil, err
	}
	if was, _ := os.ReadFile(filepath.Join(b.root, report.ClickHouse, copyMark)); string(was) != from {
		return nil, errors.New("the facts are not in ClickHouse yet: copy them first (stage copy)")
	}
	p.Facts = peers[i].Engine.(engines.Keeper).Facts(database)
	return b.serve(ctx, p, askFlags...)
}

// askCopy asks Sightline on the ClickHouse server. Its answer must be that of
// Sightline on its own files, byte for byte.
func askCopy(ctx context.Context, q *questions.Question, server *sightline.Server, r *report.Question, round int, want []byte) error {
	if server == nil {
		return nil
	}
	answer, err := server.Ask(ctx, q.Request)
	switch {
	case err != nil:
		return fmt.Errorf("on the ClickHouse server: %w", err)
	case !bytes.Equal(answer.Body, want):
		return errors.New("on the ClickHouse server, Sightline answers otherwise than on its own files")
	case round > 0:
		r.Times[report.OnClickHouse] = append(r.Times[report.OnClickHouse], ms(answer.Took))
	}
	return nil
}
