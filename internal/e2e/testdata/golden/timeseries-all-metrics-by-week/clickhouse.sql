-- One page of the timeseries.
select listed.*
from (
select bucket, sum(m0) as m0, sum(m1) as m1, sum(m2) as m2, sum(m3) as m3, sum(m4) as m4, sum(m5) as m5, sum(m6) as m6, sum(m7) as m7, sum(m8) as m8
from (
select bucket,
  sum(bot_visits) as m0,
  sum(human_visits) as m1,
  sum(referred_human_visits) as m2,
  sum(ai_referred_human_visits) as m3,
  sum(unique_human_visitors) as m4,
  sum(unique_pages) as m5,
  sum(unique_human_pages) as m6,
  0 as m7,
  0 as m8
from facts1.totals_all
where bucket between 1772409600 and 1774828799 and week between 1772409600 and 1773014400 and (version = 2)
  and width = 7 and level = 0
  and website_id in (?, ?)
group by bucket
union all
select bucket,
  0 as m0,
  0 as m1,
  0 as m2,
  0 as m3,
  0 as m4,
  0 as m5,
  0 as m6,
  uniqExactIf(platform, ai_referred_human_visits > 0) as m7,
  0 as m8
from facts1.totals_all
where bucket between 1772409600 and 1774828799 and week between 1772409600 and 1773014400 and (version = 2)
  and width = 7 and level = 1
  and website_id in (?, ?)
group by bucket
union all
select bucket,
  0 as m0,
  0 as m1,
  0 as m2,
  0 as m3,
  0 as m4,
  0 as m5,
  0 as m6,
  0 as m7,
  uniqExactIf(user_agent, 1 = 1) as m8
from facts1.agent_totals_all
where bucket between 1772409600 and 1774828799 and week between 1772409600 and 1773014400 and (version = 2)
  and width = 7
  and website_id in (?, ?)
group by bucket
) parts
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0

union all
select ts - (ts + 259200) % 604800 as bucket,
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
where ts between 1772323200 and 1772409599 and day between 1772323200 and 1772323200 and 1 = 0
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0

union all
select ts - (ts + 259200) % 604800 as bucket,
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
where ts between 1774828800 and 1775001599 and day between 1774828800 and 1774915200 and 1 = 0
  and website_id in (?, ?)
group by bucket
having m0 > 0 or m1 > 0 or m2 > 0 or m3 > 0 or m4 > 0 or m5 > 0 or m6 > 0 or m7 > 0 or m8 > 0
) listed
order by bucket, m0 desc
limit 2020 offset 0
-- arguments: ["w-acme" "w-shop" "w-acme" "w-shop" "w-acme" "w-shop" "w-acme" "w-shop" "w-acme" "w-shop"]
