-- summary of two platforms, 7 days that begin and end within a day
-- GET /v1/products/101/prompts/summary?domain=product-101.example&dateFrom=2026-06-23T18:20:00Z&dateTo=2026-06-30T11:05:30Z&platforms[]=openai&platforms[]=perplexity
{{define "chosen"}}owner = 101 and tracked = 'product-101.example' and platform in ('openai', 'perplexity'){{end}}
{{template "summary"}}
