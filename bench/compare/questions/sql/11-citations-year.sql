-- citations by property, prompts with a label, 365 days
-- GET /v1/products/101/citations?domain=product-101.example&dateFrom=2025-07-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z&groupBy=property&labelIds[]=2
-- at least: 5
{{define "chosen"}}owner = 101 and tracked = 'product-101.example' and prompt_id in (select prompt_id from prompt_labels where label_id in (2)){{end}}
{{template "cited" "domain"}}
