-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select ts - ts % 86400 as bucket,
  count(*) filter (where bot = 1) as m0
from (select bot, ts, website_id from visits_20260302.visits v join visits_20260302.websites using (website)
  union all select bot, ts, website_id from visits_20260309.visits v join visits_20260309.websites using (website))
where ts between 1772409600 and 1773619199
  and website_id in (?, ?)
  and bot = 1
group by bucket
having m0 > 0
) listed
order by bucket, m0 desc
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
