{{- /* What is read of a table of totals. */ -}}
{{- range $i, $column := .Dimensions}}, {{$column}} as d{{$i}}{{end}}
{{- range $i, $value := .Of.Values}},
  {{$value}} as m{{$i}}{{end -}}
