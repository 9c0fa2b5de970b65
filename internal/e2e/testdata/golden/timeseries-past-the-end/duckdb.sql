-- How many rows the timeseries has, over all pages.
select count(*) as total_items
from (
select ts - ts % 86400 as bucket,
  count(*) filter (where bot = 1) as m0
from (select * from visits_20260302.visits union all select * from visits_20260309.visits)
where ts between 1772323200 and 1775001599
  and website_id in (?, ?)
group by bucket
having m0 > 0
) counted
-- arguments: ["w-acme" "w-shop"]
