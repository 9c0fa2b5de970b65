package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// FactsCheck asks the facts a question, as a report would: how many events there
// are in the newest second. While files are damaged, which FilesCheck tells, it may fail.
func FactsCheck(source facts.Live, newest func(context.Context) (map[facts.Kind]int64, error)) Check {
	return Check{Name: "facts", Run: func(ctx context.Context) error {
		set, err := source.Acquire()
		if err != nil {
			return err
		}
		defer set.Close()
		seconds, unknown := newest(ctx)
		for kind, table := range map[facts.Kind]facts.Table{facts.KindVisits: facts.Visits, facts.KindAnswers: facts.Answers} {
			if err := count(ctx, set, table, seconds[kind]); err != nil && len(source.Damaged()) == 0 {
				return fmt.Errorf("a question about %s failed: %w", table, err)
			}
		}
		if err := errors.Join(source.Err(), unknown); err != nil {
			return Note(fmt.Errorf("cannot be followed; going on with version %d: %w", set.Version(), err))
		}
		return nil
	}}
}

// FilesCheck names the files that are damaged. The server can answer about all
// other weeks, and another one on the same disk could do no better.
func FilesCheck(source facts.Live) Check {
	return Check{Name: "files", Run: func(context.Context) error {
		var all []error
		for _, damage := range source.Damaged() {
			all = append(all, errors.New(damage.What))
		}
		return Note(errors.Join(all...))
	}}
}

func count(ctx context.Context, set facts.Set, table facts.Table, second int64) error {
	rows := set.Table(table, []string{"ts"}, second, second)
	sql := "select count(*) as n from " + rows + " where " + set.Within(table, second, second)
	return set.Query(ctx, facts.Statement{SQL: sql}, func(scan facts.Scan) error {
		var n facts.Int
		return scan(&n)
	})
}

// CatalogCheck says when a server goes on with an old catalog, because the new one
// cannot be read, and which keys are refused because they are damaged.
func CatalogCheck(live *catalog.Live) Check {
	return Check{Name: "catalog", Run: func(context.Context) error {
		if err := live.Err(); err != nil {
			return Note(fmt.Errorf("cannot be read; going on with version %d, so that changes are not seen and revoked keys go on working: %w", live.Current().Version(), err))
		}
		return Note(errors.Join(live.Current().Damaged()...))
	}}
}

// Certificate is what a server speaks TLS with.
type Certificate interface {
	Expires() time.Time
	// Refused is why the files as they are now are not used, or nil.
	Refused() error
}

// CertificateCheck says when a new certificate is not used, and when the one in
// use has expired. Whoever does not look at it is answered all the same.
func CertificateCheck(c Certificate) Check {
	return Check{Name: "certificate", Run: func(context.Context) error {
		at := c.Expires()
		expires := at.UTC().Format(time.RFC3339)
		if err := c.Refused(); err != nil {
			return Note(fmt.Errorf("the new one is not used; going on with the one until %s: %w", expires, err))
		}
		if time.Now().After(at) {
			return Note(fmt.Errorf("expired on %s", expires))
		}
		return nil
	}}
}
