{{- /* The rows of whole buckets, from the totals; several parts are put together. */ -}}
{{- $several := gt (len .Totals.Parts) 1}}
{{- if $several -}}
select bucket{{dims .Dimensions}}
  {{- range $i, $metric := .Metrics}}, sum(m{{$i}}) as m{{$i}}{{end}}
from (
{{end}}
{{- range $n, $part := .Totals.Parts}}
  {{- if $n}}
union all
{{end}}{{template "totals_part.sql" of $ $part}}
{{- end}}
{{- if $several}}
) parts
group by bucket{{dims .Dimensions}}
{{- end}}
having {{range $i, $metric := .Metrics}}{{if $i}} or {{end}}m{{$i}} > 0{{end}}
