-- One page of the timeseries.
select listed.*
from (
select day - day % 86400 as bucket, platform as d0, bot_type as d1,
  countIf(bot = 0) as m0,
  countIf(bot = 1) as m1
from facts1.visits_all
where day between 1772323200 and 1774915200 and week between 1772409600 and 1773014400 and (version = 2)
  and website_id in (?, ?)
group by bucket, d0, d1
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc, d0, d1
limit 2020 offset 0
-- arguments: ["w-acme" "w-shop"]
