package random

import "github.com/sightline-hq/sightline/internal/oracle"

// pagePath is a path as it is sent, what S20 makes of it, and the parent of that.
type pagePath struct {
	sent, normalized, directory string
	file                        oracle.File
}

var pages = []pagePath{
	{"", "/", "/", oracle.Page},
	{"/", "/", "/", oracle.Page},
	{"//", "/", "/", oracle.Page},
	{"/index.php", "/", "/", oracle.Page},
	{"/..", "/", "/", oracle.Page},
	{"/pricing", "/pricing", "/", oracle.Page},
	{"/pricing/", "/pricing", "/", oracle.Page},
	{"/blog/../pricing", "/pricing", "/", oracle.Page},
	{"/Pricing", "/Pricing", "/", oracle.Page},
	{"/blog", "/blog", "/", oracle.Page},
	{"/blog/index.html", "/blog", "/", oracle.Page},
	{"/blog/default.aspx", "/blog", "/", oracle.Page},
	{"/blog/post", "/blog/post", "/blog", oracle.Page},
	{"/blog//post/", "/blog/post", "/blog", oracle.Page},
	{"/blog/./post", "/blog/post", "/blog", oracle.Page},
	{`/%68ello//pa\th`, "/hello/pa/th", "/hello/pa", oracle.Page},
	{"/hello/pa/th", "/hello/pa/th", "/hello/pa", oracle.Page},
	{"/caf%C3%A9/", "/café", "/", oracle.Page},
	{"/caf%c3%a9", "/café", "/", oracle.Page},
	{"/café/menu", "/café/menu", "/café", oracle.Page},
	{"/a%2Fb", "/a%2Fb", "/", oracle.Page},
	{"/a%2fb", "/a%2Fb", "/", oracle.Page},
	{"/a%5cb", "/a%5Cb", "/", oracle.Page},
	{"/a%20b", "/a%20b", "/", oracle.Page},
	{"/%ff%fe", "/%FF%FE", "/", oracle.Page},
	{"/%7Euser/", "/~user", "/", oracle.Page},
	{"/a/%2e%2e/b", "/b", "/", oracle.Page},
	{"/cart;jsessionid=1A2B3C", "/cart", "/", oracle.Page},
	{"/docs/guides/start", "/docs/guides/start", "/docs/guides", oracle.Page},
	{"/p/12345", "/p/12345", "/p", oracle.Page},
	{"/p/index", "/p/index", "/p", oracle.Page},
	{"/p/reindex.html", "/p/reindex.html", "/p", oracle.Page},
	{"/v1.2/notes", "/v1.2/notes", "/v1.2", oracle.Page},
}

// files are kept for bots if they are documents, and never for humans.
var files = []pagePath{
	{"/robots.txt", "/robots.txt", "/", oracle.Document},
	{"/docs/llms.txt", "/docs/llms.txt", "/docs", oracle.Document},
	{"/docs/index.md", "/docs", "/", oracle.Document},
	{"/sitemap.xml", "/sitemap.xml", "/", oracle.Document},
	{"/data.json", "/data.json", "/", oracle.Document},
	{"/docs/paper.PDF", "/docs/paper.PDF", "/docs", oracle.Document},
	{"/style.css", "/style.css", "/", oracle.Asset},
	{"/img/logo.PNG", "/img/logo.PNG", "/img", oracle.Asset},
	{"/app.js", "/app.js", "/", oracle.Asset},
	{"/fonts/a.woff2", "/fonts/a.woff2", "/fonts", oracle.Asset},
	{"/video.mp4", "/video.mp4", "/", oracle.Asset},
}
