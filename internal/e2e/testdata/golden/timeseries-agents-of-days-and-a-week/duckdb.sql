-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select ts - (ts + 259200) % 604800 as bucket,
  count(distinct agent_key) filter (where bot = 1) as m0,
  count(distinct platform) filter (where bot = 0 and referred = 1 and platform not in ('none', 'other')) as m1
from (select v.agent as agent_key, bot, platform, referred, ts, website_id from visits_20260302.visits v join visits_20260302.websites using (website) join visits_20260302.sources using (source)
  union all select v.agent as agent_key, bot, platform, referred, ts, website_id from visits_20260309.visits v join visits_20260309.websites using (website) join visits_20260309.sources using (source))
where ts between 1772582400 and 1773619199
  and website_id = ?
group by bucket
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc
limit 20 offset 0
-- arguments: ["w-acme"]
