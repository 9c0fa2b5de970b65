-- One page of the timeseries.
select listed.*
from (
select day - (day + 259200) % 604800 as bucket,
  countIf(bot = 1) as m0,
  countIf(bot = 0) as m1,
  countIf(bot = 0 and referred = 1) as m2,
  countIf(bot = 0 and referred = 1 and platform not in ('none', 'other')) as m3,
  uniqExactIf(visitor, bot = 0) as m4,
  uniqExactIf(website_id, normalized_url_path, bot = 1) as m5,
  uniqExactIf(website_id, normalized_url_path, bot = 0) as m6,
  uniqExactIf(platform, bot = 0 and referred = 1 and platform not in ('none', 'other')) as m7,
  uniqExactIf(user_agent, bot = 1) as m8
from facts1.visits_all
where day between 1772323200 and 1772323200 and 1 = 0
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0

union all
select day - (day + 259200) % 604800 as bucket,
  countIf(bot = 1) as m0,
  countIf(bot = 0) as m1,
  countIf(bot = 0 and referred = 1) as m2,
  countIf(bot = 0 and referred = 1 and platform not in ('none', 'other')) as m3,
  uniqExactIf(visitor, bot = 0) as m4,
  uniqExactIf(website_id, normalized_url_path, bot = 1) as m5,
  uniqExactIf(website_id, normalized_url_path, bot = 0) as m6,
  uniqExactIf(platform, bot = 0 and referred = 1 and platform not in ('none', 'other')) as m7,
  uniqExactIf(user_agent, bot = 1) as m8
from facts1.visits_all
where day between 1774828800 and 1774915200 and 1 = 0
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0
) listed
order by bucket, m0 desc
limit 9223372036854775807 offset 0
-- arguments: ["w-acme" "w-shop" "w-acme" "w-shop"]
