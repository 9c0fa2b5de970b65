package random

import "github.com/sightline-hq/sightline/internal/oracle"

// cited lists URLs as answers cite them, their canonical form by S13, and the domain.
var cited = []oracle.Citation{
	{Sent: "https://acme.com", URL: "https://acme.com", Domain: "acme.com"},
	{Sent: "https://acme.com/", URL: "https://acme.com/", Domain: "acme.com"},
	{Sent: "https://acme.com/pricing", URL: "https://acme.com/pricing", Domain: "acme.com"},
	{Sent: "HTTPS://Acme.COM/pricing", URL: "https://acme.com/pricing", Domain: "acme.com"},
	{Sent: "https://acme.com:443/pricing", URL: "https://acme.com/pricing", Domain: "acme.com"},
	{Sent: "https://acme.com/pricing#plans", URL: "https://acme.com/pricing", Domain: "acme.com"},
	{Sent: "https://acme.com/pricing?utm_source=openai", URL: "https://acme.com/pricing", Domain: "acme.com"},
	{Sent: "https://acme.com/Pricing", URL: "https://acme.com/Pricing", Domain: "acme.com"},
	{Sent: "https://www.acme.com/pricing", URL: "https://www.acme.com/pricing", Domain: "acme.com"},
	{Sent: "http://acme.com:80/pricing", URL: "http://acme.com/pricing", Domain: "acme.com"},
	{Sent: "http://acme.com:443/pricing", URL: "http://acme.com:443/pricing", Domain: "acme.com"},
	{Sent: "https://acme.com:8443/pricing", URL: "https://acme.com:8443/pricing", Domain: "acme.com"},
	{Sent: "https://shop.acme.com/item?id=7&utm_medium=ai&gclid=abc", URL: "https://shop.acme.com/item?id=7", Domain: "shop.acme.com"},
	{Sent: "https://shop.acme.com/item?utm_campaign=x&id=7", URL: "https://shop.acme.com/item?id=7", Domain: "shop.acme.com"},
	{Sent: "https://labs.acme.com/", URL: "https://labs.acme.com/", Domain: "labs.acme.com"},
	{Sent: "https://old.acme.com/legacy", URL: "https://old.acme.com/legacy", Domain: "old.acme.com"},
	{Sent: "https://notacme.com/", URL: "https://notacme.com/", Domain: "notacme.com"},
	{Sent: "https://acme.com.evil.example/", URL: "https://acme.com.evil.example/", Domain: "acme.com.evil.example"},
	{Sent: "https://zoomrockets.example/faq?fbclid=1", URL: "https://zoomrockets.example/faq", Domain: "zoomrockets.example"},
	{Sent: "https://www.zoomrockets.example/faq", URL: "https://www.zoomrockets.example/faq", Domain: "zoomrockets.example"},
	{Sent: "https://blog.zoomrockets.example/a?msclkid=1&b=2#c", URL: "https://blog.zoomrockets.example/a?b=2", Domain: "blog.zoomrockets.example"},
	{Sent: "https://orbit.io/a?srsltid=xyz", URL: "https://orbit.io/a", Domain: "orbit.io"},
	{Sent: "https://docs.luna.co.uk/start", URL: "https://docs.luna.co.uk/start", Domain: "docs.luna.co.uk"},
	{Sent: "https://shop.example/rockets", URL: "https://shop.example/rockets", Domain: "shop.example"},
	{Sent: "https://en.wikipedia.org/wiki/Rocket#History", URL: "https://en.wikipedia.org/wiki/Rocket", Domain: "en.wikipedia.org"},
	{Sent: "https://en.wikipedia.org/wiki/Rocket", URL: "https://en.wikipedia.org/wiki/Rocket", Domain: "en.wikipedia.org"},
	{Sent: "https://www.reddit.com/r/rockets/?ref=1", URL: "https://www.reddit.com/r/rockets/?ref=1", Domain: "reddit.com"},
	{Sent: "https://example.com/search?q=utm_source&utm=1", URL: "https://example.com/search?q=utm_source&utm=1", Domain: "example.com"},
	{Sent: "https://example.com/caf%C3%A9?x=%20", URL: "https://example.com/caf%C3%A9?x=%20", Domain: "example.com"},
	{Sent: "https://example.com/a//b/../c", URL: "https://example.com/a//b/../c", Domain: "example.com"},
	{Sent: "https://example.com?utm_source=x", URL: "https://example.com", Domain: "example.com"},
}
