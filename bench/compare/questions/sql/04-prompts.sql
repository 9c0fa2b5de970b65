-- prompts with ranks, 30 days
-- GET /v1/products/101/prompts?domain=product-101.example&dateFrom=2026-06-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z
-- at least: 5
{{define "chosen"}}owner = 101 and tracked = 'product-101.example'{{end}}
{{template "prompts"}}
