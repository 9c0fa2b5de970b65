-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select ts - (ts + 259200) % 604800 as bucket,
  count(*) filter (where bot = 1) as m0,
  count(*) filter (where bot = 0) as m1,
  count(*) filter (where bot = 0 and referred = 1) as m2,
  count(*) filter (where bot = 0 and referred = 1 and platform not in ('none', 'other')) as m3,
  count(distinct visitor) filter (where bot = 0) as m4,
  count(distinct (website_key, page_key)) filter (where bot = 1) as m5,
  count(distinct (website_key, page_key)) filter (where bot = 0) as m6,
  count(distinct platform) filter (where bot = 0 and referred = 1 and platform not in ('none', 'other')) as m7,
  count(distinct agent_key) filter (where bot = 1) as m8
from (select v.agent as agent_key, bot, v.page as page_key, platform, referred, ts, visitor, website_id, v.website as website_key from visits_20260302.visits v join visits_20260302.websites using (website) join visits_20260302.sources using (source)
  union all select v.agent as agent_key, bot, v.page as page_key, platform, referred, ts, visitor, website_id, v.website as website_key from visits_20260309.visits v join visits_20260309.websites using (website) join visits_20260309.sources using (source))
where ts between 1772409600 and 1773619199
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0
) listed
order by bucket, m0 desc
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
