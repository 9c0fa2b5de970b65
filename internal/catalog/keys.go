package catalog

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strings"
)

// A key is "sl_", 32 random characters and 6 of checksum. The prefix lets
// scanners of source code find a leaked one; the checksum lets them, and us,
// tell a mangled one without looking it up.
const (
	keyPrefix   = "sl_"
	keyRandom   = 32
	keyChecksum = 6
	keyShown    = 4 // last characters, which a list may show

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func newKey() string {
	secret := make([]byte, 0, keyRandom)
	var random [64]byte
	for len(secret) < keyRandom {
		_, _ = rand.Read(random[:]) // documented never to fail
		for _, b := range random {
			// Bytes from 248 on would favour the first characters.
			if b < 4*62 && len(secret) < keyRandom {
				secret = append(secret, base62[b%62])
			}
		}
	}
	body := keyPrefix + string(secret)
	return body + checksum(body)
}

func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var out [keyChecksum]byte
	for i := keyChecksum - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out[:])
}

// wellFormed tells whether a key can be one of ours.
func wellFormed(key string) bool {
	body := len(keyPrefix) + keyRandom
	if len(key) != body+keyChecksum || !strings.HasPrefix(key, keyPrefix) {
		return false
	}
	return strings.Trim(key[len(keyPrefix):body], base62) == "" && key[body:] == checksum(key[:body])
}

// keyHash is the form in which keys are stored. Keys are random, so a plain hash
// gives nothing away, and costs nothing on every request.
func keyHash(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// shownOf is all that a list ever shows of a key: its end, which is checksum.
func shownOf(key string) string { return "…" + key[len(key)-keyShown:] }

// newKeyID makes an id that is easy to read aloud and to type: 40 random bits.
func newKeyID() string { return "k_" + strings.ToLower(rand.Text()[:8]) }
