-- How many rows each bucket of the timeseries has, by time.
select bucket, n
from (
{{with .Totals}}{{with of $ (index .Parts 0) -}}
select bucket, {{index .Of.Values 0}} as n
from {{within .Of.Table (list .Of.Reads .Of.Keys) .Of.Part}}
where {{template "whole.sql" .}}
group by bucket
{{- end}}{{end}}
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
