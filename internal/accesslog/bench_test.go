package accesslog

import (
	"bytes"
	"testing"
)

// BenchmarkParse reads a typical line of each format. Each has a twin that only
// counts the line's quotes: on a busy machine the ratio of the two says more
// than the time.
func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ file, format string }{
		{"combined.log", "combined"}, {"vhost-combined.log", "vhost-combined"}, {"cloudfront.log", "w3c"}, {"iis.log", "w3c"},
		{"caddy.ndjson", "caddy"}, {"cloudflare.ndjson", "cloudflare"}, {"vercel.ndjson", "vercel"},
		{"netlify.ndjson", "netlify"}, {"traefik.ndjson", "traefik"}, {"nginx.ndjson", "nginx-json"}, {"fields.ndjson", "fields"},
	} {
		layout, all := layoutOf(b, c.format, c.file)
		var lines [][]byte
		var h Hit
		size := 0
		for _, line := range all {
			if layout.Parse(line, &h) == nil {
				lines = append(lines, line)
				size += len(line)
			}
		}
		b.Run(c.file+"/parse", func(b *testing.B) {
			b.SetBytes(int64(size / len(lines)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				layout.Parse(lines[i%len(lines)], &h)
			}
		})
		b.Run(c.file+"/count", func(b *testing.B) {
			b.SetBytes(int64(size / len(lines)))
			for i := 0; b.Loop(); i++ {
				bytes.Count(lines[i%len(lines)], []byte{'"'})
			}
		})
	}
}
