-- One page of the timeseries.
select listed.*
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
from (select v.agent as agent_key, bot, v.page as page_key, platform, referred, ts, visitor, website_id, v.website as website_key from memory.visits v join memory.websites using (website) join memory.sources using (source))
where ts between 1772323200 and 1772409599
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0

union all
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
from (select v.agent as agent_key, bot, v.page as page_key, platform, referred, ts, visitor, website_id, v.website as website_key from memory.visits v join memory.websites using (website) join memory.sources using (source))
where ts between 1774828800 and 1775001599
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0
) listed
order by bucket, m0 desc
limit 9223372036854775807 offset 0
-- arguments: ["w-acme" "w-shop" "w-acme" "w-shop"]
