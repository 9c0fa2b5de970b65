-- One page of the timeseries.
select *
from (
{{rows .}}
) listed
order by bucket, {{order .Dimensions}}
limit {{.Limit}} offset {{.Offset}}
