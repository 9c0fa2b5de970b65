{{- /* One row per bucket and dimensions; rows of zeros are left out. */ -}}
{{- with .Totals}}{{template "timeseries_totals.sql" $}}{{end}}
{{- range $i, $edge := .Edges}}
  {{- if or $i $.Totals}}
union all
{{end}}{{template "timeseries_visits.sql" part $ $edge}}
{{- end}}
