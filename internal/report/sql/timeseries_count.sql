-- How many rows the timeseries has, over all pages.
select count(*) as total_items
from (
{{rows .}}
) counted
