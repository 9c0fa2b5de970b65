-- How many rows each bucket of the timeseries has, by time.
select bucket, n
from (
{{with .Totals -}}
select bucket, sum({{.Column}}) as n
from {{within "totals" (list (some .Column) "bucket" "width" "level" "website_id" "platform" "bot_type") .Part}}
where {{template "whole.sql" $}}
group by bucket
{{- end}}
{{- range $i, $edge := .Edges}}
  {{- if or $i $.Totals}}
union all
{{end}}select bucket, count(*) as n
from (
{{template "timeseries_visits.sql" part $ $edge}}
) edge
group by bucket
{{- end}}
) sizes
order by bucket
