package clickhouse

import (
	"context"

	"github.com/sightline-hq/sightline/internal/facts"
)

// SameSecret implements facts.Loader: the data directory of another host may have
// made a secret of its own, and its visitors would count twice.
func (l *Loader) SameSecret(ctx context.Context, secret []byte) (bool, error) {
	own, known := facts.Fingerprint(secret), ""
	err := l.shards[0].query(ctx, "select fingerprint from "+l.local("secrets")+" order by at limit 1", func(scan facts.Scan) error {
		return scan(&known)
	})
	if err == nil && known == "" {
		known, err = own, l.shards[0].exec(ctx, "insert into "+l.local("secrets")+" (fingerprint) select "+quote(own))
	}
	return known == own, err
}
