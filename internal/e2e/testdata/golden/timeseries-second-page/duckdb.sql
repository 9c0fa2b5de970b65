-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select bucket,
  sum(bot_visits) as m0
from (select bot_visits, bucket, width, level, website_id, platform, bot_type from visits_20260302.totals v join visits_20260302.websites using (website)
  union all select bot_visits, bucket, width, level, website_id, platform, bot_type from visits_20260309.totals v join visits_20260309.websites using (website))
where bucket between 1772323200 and 1775001599
  and width = 1 and level = 0
  and website_id in (?, ?)
group by bucket
having m0 > 0
) listed
order by bucket, m0 desc
limit 1 offset 1
-- arguments: ["w-acme" "w-shop"]
