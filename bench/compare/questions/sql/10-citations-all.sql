-- citations in all groupings, one platform, 30 days
-- GET /v1/products/101/citations?domain=product-101.example&dateFrom=2026-06-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z&groupBy=all&platforms[]=openai
-- at least: 5
{{define "chosen"}}owner = 101 and tracked = 'product-101.example' and platform in ('openai'){{end}}
{{template "cited" "domain"}}
-- part
{{template "cited" "domain, url"}}
-- part
{{template "by_product"}}
