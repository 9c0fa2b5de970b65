-- How many rows the timeseries has, over all pages.
select count(*) as total_items
from (
select ts - ts % 86400 as bucket, platform as d0, bot_type as d1,
  count(*) filter (where bot = 0) as m0,
  count(*) filter (where bot = 1) as m1
from (select * from visits_20260302.visits union all select * from visits_20260309.visits)
where ts between 1772323200 and 1775001599
  and website_id in (?, ?)
group by bucket, d0, d1
having m0 > 0 or m1 > 0
) counted
-- arguments: ["w-acme" "w-shop"]

-- One page of the timeseries.
select *
from (
select ts - ts % 86400 as bucket, platform as d0, bot_type as d1,
  count(*) filter (where bot = 0) as m0,
  count(*) filter (where bot = 1) as m1
from (select * from visits_20260302.visits union all select * from visits_20260309.visits)
where ts between 1772323200 and 1775001599
  and website_id in (?, ?)
group by bucket, d0, d1
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc, d0, d1
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
