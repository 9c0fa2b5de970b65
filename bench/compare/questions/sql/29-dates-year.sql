-- daily trend of prompts with two labels, 365 days
-- GET /v1/products/101/prompts/dates?domain=product-101.example&dateFrom=2025-07-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z&labelIds[]=1&labelIds[]=2
{{define "chosen"}}owner = 101 and tracked = 'product-101.example' and prompt_id in (select prompt_id from prompt_labels where label_id in (1, 2)){{end}}
{{template "dates"}}
