-- One page of the timeseries{{if .WithTotal}}, and how many rows there are over all pages{{end}}.
select listed.*{{if .WithTotal}}, {{over .}} as total_items{{end}}
from (
{{rows .}}
) listed
order by bucket, {{order .Dimensions}}
limit {{.Limit}} offset {{.Offset}}
