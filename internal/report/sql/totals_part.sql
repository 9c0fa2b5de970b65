{{- /* Rows of one table of totals. Days are put together to the bucket that they are in. */ -}}
{{- if .Shorter -}}
select start as bucket{{template "totals_values.sql" .}}
from (
  select *, {{.Start}} as start from {{within .Of.Table (list .Of.Reads .Of.Keys) .Of.Part}} days
  where {{template "whole.sql" .}}
) days
group by start{{dims .Dimensions}}
{{- else -}}
select bucket{{template "totals_values.sql" .}}
from {{within .Of.Table (list .Of.Reads .Of.Keys) .Of.Part}}
where {{template "whole.sql" .}}
group by bucket{{dims .Dimensions}}
{{- end -}}
