-- One page of the timeseries.
select listed.*
from (
select bucket, platform as d0, bot_type as d1,
  sum(human_visits) as m0,
  sum(bot_visits) as m1
from facts1.totals_all
where bucket between 1772323200 and 1775001599 and week between 1772409600 and 1773014400 and (version = 2)
  and width = 1 and level = 3
  and website_id in (?, ?)
group by bucket, d0, d1
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc, d0, d1
limit 2020 offset 0
-- arguments: ["w-acme" "w-shop"]
