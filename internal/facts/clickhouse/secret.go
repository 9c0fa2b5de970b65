package clickhouse

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/sightline-hq/sightline/internal/facts"
)

// SameSecret refuses a secret of visitor ids that is not the one of the first
// load: the data directory of another host may have made its own, and its
// visitors would count twice. The secret itself stays where it is.
func (l *Loader) SameSecret(ctx context.Context, secret []byte) error {
	sum := hmac.New(sha256.New, secret)
	sum.Write([]byte("sightline: which secret is this"))
	own := hex.EncodeToString(sum.Sum(nil)[:16])
	var known string
	err := l.shards[0].query(ctx, "select fingerprint from "+l.local("secrets")+" order by at limit 1", func(scan facts.Scan) error {
		return scan(&known)
	})
	switch {
	case err != nil || known == own:
		return err
	case known == "":
		return l.shards[0].exec(ctx, "insert into "+l.local("secrets")+" (fingerprint) select "+quote(own))
	}
	return errors.New("the file secret in the data directory is not the one that these facts were loaded with: " +
		"copy it from the host that loaded first, or visitors of this week would count twice")
}
