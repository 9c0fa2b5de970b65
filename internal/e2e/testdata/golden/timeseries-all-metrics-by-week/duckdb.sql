-- How many rows the timeseries has, over all pages.
select count(*) as total_items
from (
select ts - (ts + 259200) % 604800 as bucket,
  count(*) filter (where bot = 1) as m0,
  count(*) filter (where bot = 0) as m1,
  count(*) filter (where bot = 0 and referred = 1) as m2,
  count(*) filter (where bot = 0 and referred = 1 and platform not in ('none', 'other')) as m3,
  count(distinct visitor) filter (where bot = 0) as m4,
  count(distinct (website_id, normalized_url_path)) filter (where bot = 1) as m5,
  count(distinct (website_id, normalized_url_path)) filter (where bot = 0) as m6,
  count(distinct platform) filter (where bot = 0 and referred = 1 and platform not in ('none', 'other')) as m7,
  count(distinct user_agent) filter (where bot = 1) as m8
from (select * from visits_20260302.visits union all select * from visits_20260309.visits)
where ts between 1772323200 and 1775001599
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0
) counted
-- arguments: ["w-acme" "w-shop"]

-- One page of the timeseries.
select *
from (
select ts - (ts + 259200) % 604800 as bucket,
  count(*) filter (where bot = 1) as m0,
  count(*) filter (where bot = 0) as m1,
  count(*) filter (where bot = 0 and referred = 1) as m2,
  count(*) filter (where bot = 0 and referred = 1 and platform not in ('none', 'other')) as m3,
  count(distinct visitor) filter (where bot = 0) as m4,
  count(distinct (website_id, normalized_url_path)) filter (where bot = 1) as m5,
  count(distinct (website_id, normalized_url_path)) filter (where bot = 0) as m6,
  count(distinct platform) filter (where bot = 0 and referred = 1 and platform not in ('none', 'other')) as m7,
  count(distinct user_agent) filter (where bot = 1) as m8
from (select * from visits_20260302.visits union all select * from visits_20260309.visits)
where ts between 1772323200 and 1775001599
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0
) listed
order by bucket, m0 desc
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
