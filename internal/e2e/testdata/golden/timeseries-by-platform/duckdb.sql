-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select bucket, platform as d0, bot_type as d1,
  sum(human_visits) as m0,
  sum(bot_visits) as m1
from (select human_visits, bot_visits, bucket, width, level, website_id, platform, bot_type from visits_20260302.totals v join visits_20260302.websites using (website)
  union all select human_visits, bot_visits, bucket, width, level, website_id, platform, bot_type from visits_20260309.totals v join visits_20260309.websites using (website))
where bucket between 1772323200 and 1775001599
  and width = 1 and level = 3
  and website_id in (?, ?)
group by bucket, d0, d1
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc, d0, d1
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
