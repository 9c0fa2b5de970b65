-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select ts - ts % 86400 as bucket, platform as d0, bot_type as d1,
  count(*) filter (where bot = 0) as m0,
  count(*) filter (where bot = 1) as m1
from (select bot, bot_type, platform, ts, website_id from visits_20260302.visits v join visits_20260302.websites using (website) join visits_20260302.sources using (source)
  union all select bot, bot_type, platform, ts, website_id from visits_20260309.visits v join visits_20260309.websites using (website) join visits_20260309.sources using (source))
where ts between 1772409600 and 1773619199
  and website_id in (?, ?)
group by bucket, d0, d1
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc, d0, d1
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
