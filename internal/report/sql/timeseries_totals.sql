{{- /* The rows of whole buckets, from the totals. */ -}}
select bucket
  {{- range $i, $column := .Dimensions}}, {{$column}} as d{{$i}}{{end}}
  {{- range $i, $column := .TotalMetrics}},
  sum({{$column}}) as m{{$i}}{{end}}
from {{within "totals" (list .TotalMetrics "bucket" "width" "level" "website_id" "platform" "bot_type") .Totals.Part}}
where {{template "whole.sql" .}}
group by bucket{{dims .Dimensions}}
having {{range $i, $column := .TotalMetrics}}{{if $i}} or {{end}}m{{$i}} > 0{{end}}
