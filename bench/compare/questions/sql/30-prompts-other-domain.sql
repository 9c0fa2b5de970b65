-- prompts of another domain, 90 days
-- GET /v1/products/101/prompts?domain=WWW.site-002.example&dateFrom=2026-04-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z
{{define "chosen"}}owner = 101 and tracked = 'site-002.example'{{end}}
{{template "prompts"}}
