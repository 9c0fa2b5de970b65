-- summary, 365 days
-- GET /v1/products/101/prompts/summary?domain=product-101.example&dateFrom=2025-07-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z
-- at least: 10
{{define "chosen"}}owner = 101 and tracked = 'product-101.example'{{end}}
{{template "summary"}}
